// What whoever looks may do about a case now, each as a form of its own; the service says what is possible.

import { sendingOnce } from "../common/once.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { place } from "../table/place.js";
import { isWriting, mayDropOthers } from "./leaving.js";
import { casePanel } from "./panel.js";
import { rulingForm } from "./ruling.js";
import { isOnItsWay, sendingFrom } from "./sending.js";

const TEXT = 4000; // characters of what is said at most
// Acts that take nothing but a button: how they are sent.
const PLAIN = {
  claim: ["POST", "claim"], release: ["DELETE", "claim"], withdrawal: ["POST", "withdrawal"],
  acceptance: ["POST", "acceptance"], resumption: ["POST", "resumption"],
};
const SAYING = { evidence: "evidence", appeal: "appeal" };
const OF_ARBITERS = ["claim", "release", "ruling"];
const OF_PARTIES = ["withdrawal", "acceptance", "appeal", "resumption"];
const MAIN = ["claim", "acceptance"]; // what most people want next, where it is possible
// After which other forms are gone, but for one that may stay: how its fields' ids begin.
const ENDING = { release: ["act-evidence"], withdrawal: [], acceptance: [] };

// Draws the forms for a case: `again` shows it anew, `version` says which one the reader looks at. Those that are there
// stay, and so does one in which somebody writes, or that is on its way, when it is too late: whoever sends it is
// told so.
export function drawActs(place, given) {
  const possible = possibleFor(given);
  const there = new Map([...place.children].map((form) => [form.dataset.act, form]));
  for (const [act, form] of there) {
    if (!possible.includes(act) && !isWriting(form) && !isOnItsWay(form)) leaveOut(form);
  }
  let next = null;
  for (const act of possible.reverse()) {
    if (!there.has(act)) {
      const form = formOf(act, given);
      form.dataset.act = act;
      place.insertBefore(form, next);
    }
    next = place.querySelector(`:scope > [data-act=${act}]`);
  }
}

function leaveOut(form) {
  if (form.contains(document.activeElement)) casePanel.focus({ preventScroll: true });
  form.remove();
}

function possibleFor({ api, found }) {
  const isArbiter = api.token.startsWith("fbk_");
  // A party sees through its own seat's eyes.
  const hasAccepted = found.accepted.includes(place.perspective);
  const others = [...(isArbiter ? OF_PARTIES : OF_ARBITERS), ...(hasAccepted ? ["acceptance", "appeal"] : [])];
  return found.possible.filter((act) => !others.includes(act));
}

function formOf(act, given) {
  if (PLAIN[act]) return plain(act, given);
  return SAYING[act] ? saying(act, given) : rulingForm(given);
}

function plain(act, { api, path, again }) {
  const [method, last] = PLAIN[act];
  const label = say(`act_${act}`);
  const form = element("form", { class: "act" },
    element("button", { class: MAIN.includes(act) ? "main" : undefined, text: label }));
  const once = sendingOnce();
  sending(form, () => !ENDING[act] || mayDropOthers(form, ...ENDING[act]), async () => {
    await once(api, method, `${path}/${last}`);
    await again(act === "claim" ? "ruling-kind" : "case");
  });
  return form;
}

function saying(act, { api, path, again, version }) {
  const label = say(`act_${act}`);
  const field = { id: `act-${act}`, rows: 3, maxlength: TEXT, required: true, "aria-label": label };
  const text = element("textarea", field);
  const about = element("input", { type: "checkbox", id: `act-${act}-about` });
  const form = element("form", { class: "act" }, text,
    act === "evidence" ? element("label", {}, about, " ", say("about_this_version")) : null,
    element("button", { text: label }));
  const said = () => {
    if (act !== "evidence") return { text: text.value };
    return { text: text.value, versions: about.checked ? [version()] : [] };
  };
  const once = sendingOnce();
  sending(form, () => true, async () => {
    await once(api, "POST", `${path}/${SAYING[act]}`, said());
    text.value = "";
    about.checked = false;
    await again();
  });
  return element("details", {}, element("summary", { text: label }), form);
}

// Does what sends a form whenever it is submitted, where it may be.
function sending(form, mayBe, work) {
  const deliver = sendingFrom(form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (mayBe()) deliver(work);
  });
}
