// Looking back at a finished game: what is said of it, its figures, what could be known, what might have been.

import { isEmbedded } from "../common/frame.js";
import { askUntilAnswered } from "../common/service.js";
import { forgetTrouble, showTrouble } from "../game/trouble.js";
import { beginBook } from "./annotations.js";
import { beginBranches } from "./branches.js";
import { beginEmbedded } from "./embedded.js";
import { beginFigures } from "./figures.js";
import { beginKnowledge } from "./knowledge.js";
import { addLog, beginPanels, showNamed } from "./panels.js";
import { beginSharing } from "./sharing.js";
import { beginTrying } from "./trying.js";
import { beginWriting } from "./writing.js";

// Begins what a reviewer has beyond the table and the log; `history` is what is shown, and `api` asks for more.
export async function beginReviewing({ api, game, history }) {
  document.body.classList.add("is-reviewing");
  const tools = { api, game, history };
  if (isEmbedded()) {
    beginEmbedded();
  } else {
    beginPanels();
    addLog();
    beginWriting(tools);
    beginFigures(tools);
    beginKnowledge(tools);
    beginTrying();
    beginSharing(tools);
  }
  await Promise.all([readAtLast(tools), beginBranches(tools)]);
  if (!isEmbedded()) showNamed();
}

// What is said of the game, as soon as the service answers: whoever waits for it is told so.
async function readAtLast(tools) {
  let waits = false;
  const wait = (trouble) => {
    waits = true;
    showTrouble(trouble, tools.game, tools.api.token);
  };
  await askUntilAnswered(() => beginBook(tools), wait);
  if (waits) forgetTrouble();
}
