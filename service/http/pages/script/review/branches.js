// Branches: what would have happened otherwise, shown in the viewer in the place of the game. The address names them.

import { language, say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { further, go, place } from "../table/place.js";
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

// Shows the branch that the address names, if it names one.
export async function beginBranches(given) {
  tools = given;
  byId("left").prepend(banner);
  window.addEventListener("hashchange", () => followAddress());
  await followAddress();
}

async function followAddress() {
  const { token, ...at } = named();
  if (token === (branch.answer?.token ?? null)) return;
  if (!token) return leaveBranch(at);
  const line = alertLine();
  banner.replaceChildren(line);
  banner.hidden = false;
  const answer = await attempt(line, () => ask({ token }));
  if (answer) show(answer, at);
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
  further.set("branch", answer.token);
  showRecord(join(tools.history, answer.recording));
  stand({ perspective, ...at });
  drawBanner();
}

// Shows a branch that somebody has put beside a note, from where it begins.
export async function openBranch(token) {
  const answer = await ask({ token });
  show(answer, { version: Math.min(answer.origin.version + 1, answer.version) });
}

// Back to the game, to where the branch parts from it.
export function leaveBranch(at = {}) {
  if (!branch.answer) return;
  const { perspective } = place;
  const { version } = branch.answer.origin;
  branch.answer = null;
  further.delete("branch");
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
