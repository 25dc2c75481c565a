// What whoever looks may do about a case now, each as a form of its own; the service says what is possible.

import { refusalOf } from "../common/refusals.js";
import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { place } from "../table/place.js";
import { rulingForm } from "./ruling.js";

const TEXT = 4000; // characters of what is said at most
// Acts that take nothing but a button: how they are sent.
const PLAIN = {
  claim: ["POST", "claim"], release: ["DELETE", "claim"], withdrawal: ["POST", "withdrawal"],
  acceptance: ["POST", "acceptance"], resumption: ["POST", "resumption"],
};
const SAYING = { evidence: "evidence", appeal: "appeal" };
const OF_ARBITERS = ["claim", "release", "ruling"];
const OF_PARTIES = ["withdrawal", "acceptance", "appeal", "resumption"];

// The forms for a case; `again` shows it anew, `version` says which one the reader looks at.
export async function actsFor({ api, path, found, again, version }) {
  const isArbiter = api.token.startsWith("fbk_");
  // A party sees through its own seat's eyes.
  const hasAccepted = found.accepted.includes(place.perspective);
  const others = [...(isArbiter ? OF_PARTIES : OF_ARBITERS), ...(hasAccepted ? ["acceptance", "appeal"] : [])];
  const possible = found.possible.filter((act) => !others.includes(act));
  const given = { api, path, found, again, version };
  const pack = packing(given);
  const forms = possible.map((act) => (PLAIN[act] ? plain(act, given) : SAYING[act] ? saying(act, given) : rulingForm(given)));
  return [element("div", { id: "acts" }, ...forms), pack];
}

function plain(act, { api, path, again }) {
  const [method, last] = PLAIN[act];
  const then = () => again(act === "claim" ? "ruling-kind" : "case");
  const form = element("form", { class: "act" }, element("button", { class: act === "claim" ? "main" : undefined, text: say(`act_${act}`) }));
  return sending(form, () => api.send(method, `${path}/${last}`), then);
}

function saying(act, { api, path, again, version }) {
  const text = element("textarea", { id: `act-${act}`, rows: 3, maxlength: TEXT, required: true, "aria-label": say(`act_${act}`) });
  const about = element("input", { type: "checkbox" });
  const form = element("form", { class: "act" }, text,
    act === "evidence" ? element("label", {}, about, " ", say("about_this_version")) : null,
    element("button", { text: say(`act_${act}`) }));
  const body = () => (act === "evidence" ? { text: text.value, versions: about.checked ? [version()] : [] } : { text: text.value });
  return element("details", {}, element("summary", { text: say(`act_${act}`) }), sending(form, () => api.send("POST", `${path}/${SAYING[act]}`, body()), () => {
    text.value = "";
    return again();
  }));
}

// Sends a form once at a time; why it was refused stands in it.
export function sending(form, send, then) {
  const refused = element("p", { class: "refused", role: "alert" });
  form.append(refused);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const buttons = form.querySelectorAll("button");
    buttons.forEach((button) => (button.disabled = true));
    refused.replaceChildren();
    try {
      await then(await send());
    } catch (problem) {
      refused.replaceChildren(...refusalOf(problem));
      refused.scrollIntoView({ block: "nearest" });
    } finally {
      buttons.forEach((button) => (button.disabled = false));
    }
  });
  return form;
}

const TYPES = { json: "application/json", markdown: "text/markdown", html: "text/html" };

// Saves an evidence pack as a file: it shows hidden cards, so it is asked for with the key, and not by a link.
function packing({ api, path, found }) {
  const said = element("p", { class: "refused", role: "alert" });
  document.addEventListener("click", async (event) => {
    const form = event.target.closest("[data-pack]")?.dataset.pack;
    if (!form || !said.isConnected) return;
    try {
      const chunks = [];
      for await (const chunk of await api.open(`${path}/evidence-pack`, TYPES[form])) chunks.push(chunk);
      const address = URL.createObjectURL(new Blob(chunks, { type: TYPES[form] }));
      const link = element("a", { href: address, download: `${found.game}-${found.dispute}.${form === "markdown" ? "md" : form}` });
      link.click();
      URL.revokeObjectURL(address);
    } catch (problem) {
      said.replaceChildren(...refusalOf(problem));
    }
  });
  return said;
}
