// Branches: what would have happened otherwise, shown in the viewer in the place of the game. The address names them.

import { refusalOf } from "../common/refusals.js";
import { askUntilAnswered } from "../common/service.js";
import { language, say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { further, go, nameInAddress, place } from "../table/place.js";
import { showRecord } from "../table/viewer.js";
import { writerOf } from "./access.js";
import { showBook } from "./annotations.js";
import { alertLine, attempt } from "./asking.js";
import { button } from "./fields.js";
import { join } from "./joined.js";

export const branch = { answer: null }; // the service's newest answer about the branch that is seen
export const branchFollowers = []; // called when another branch is seen, or none
const banner = element("div", { id: "branch-banner", role: "status", hidden: true });
let tools;
let asked = 0; // how often it has changed what is wanted: what comes for an earlier wish is not shown

// Shows the branch that the address names, if it names one.
export async function beginBranches(given) {
  tools = given;
  byId("left").prepend(banner);
  window.addEventListener("hashchange", () => followAddress());
  await followAddress();
}

async function followAddress() {
  const { token, ...at } = named();
  const isWanted = wantAnother();
  if (token === (branch.answer?.token ?? null)) return;
  if (!token) return leaveBranch(at);
  const line = alertLine();
  banner.replaceChildren(line);
  banner.hidden = false;
  further.set("branch", token); // who loads the page again meanwhile still wants it
  const wait = (trouble) => { if (isWanted()) line.replaceChildren(...refusalOf(trouble)); };
  const answer = await attempt(line, () => askUntilAnswered(() => ask({ token }), wait, isWanted));
  if (!isWanted()) return;
  if (answer) show(answer, at);
  else nameBranch();
}

// Begins with another wish: what was waited for is wanted no more. Gives what says whether this one still is.
function wantAnother() {
  const mine = (asked += 1);
  nameBranch();
  if (banner.querySelector(".refusal")) drawBanner();
  return () => mine === asked;
}

// Has the address name the branch that is seen, if one is.
function nameBranch() {
  if (branch.answer) further.set("branch", branch.answer.token);
  else further.delete("branch");
  nameInAddress();
}

function named() {
  const address = new URLSearchParams(location.hash.slice(1));
  return { token: address.get("branch"), version: Number(address.get("v")) || undefined, perspective: address.get("as") ?? undefined };
}

// Whether a branch can be seen here at all.
export const canBranch = () => tools !== undefined;

// Plays on: `wanted` is what the service is asked for (docs/http-api.md, "What if"), by the branch that is seen.
export async function playOn(wanted) {
  const before = branch.answer?.version ?? place.version;
  const answer = await ask(branch.answer ? { token: branch.answer.token, ...wanted } : wanted);
  // Of what bots have played one sees the beginning, of a move of one's own where it leads.
  show(answer, { version: wanted.bots ? Math.min(before + 1, answer.version) : answer.version });
  return answer;
}

const ask = (wanted) =>
  writerOf(tools.api).send("POST", `/v1/games/${tools.game}/branches`, { text: language, ...wanted });

function show(answer, at) {
  const { perspective } = place;
  branch.answer = answer;
  wantAnother();
  showRecord(join(tools.history, answer.recording));
  stand({ perspective, ...at });
  drawBanner();
}

// Shows a branch that somebody has put beside a note, from where it begins.
export async function openBranch(token) {
  const isWanted = wantAnother();
  const answer = await ask({ token });
  if (isWanted()) show(answer, { version: Math.min(answer.origin.version + 1, answer.version) });
}

// Back to the game, to where the branch parts from it.
export function leaveBranch(at = {}) {
  wantAnother();
  if (!branch.answer) return;
  const { perspective } = place;
  const { version } = branch.answer.origin;
  branch.answer = null;
  nameBranch();
  showRecord(tools.history);
  stand({ perspective, version, ...at });
  drawBanner();
}

function stand(at) {
  const known = Object.fromEntries(Object.entries(at).filter(([, value]) => value !== undefined));
  go({ ...known, anew: true });
  showBook();
  for (const follower of branchFollowers) follower();
}

function drawBanner() {
  document.body.classList.toggle("is-in-branch", branch.answer !== null);
  banner.hidden = branch.answer === null;
  if (!branch.answer) return banner.replaceChildren();
  const { origin, fresh_from: fresh } = branch.answer;
  return banner.replaceChildren(
    element("p", {}, element("strong", { text: say("branch_from", { version: origin.version }) }), " ",
      element("span", { text: fresh === null ? say("branch_recorded") : say("branch_fresh", { version: fresh }) })),
    button("branch_leave", () => leaveBranch()));
}
