// A record that somebody drops here: verified in this browser, and if they like opened by the service.

import { findingOf, isTranslated } from "../common/findings.js";
import { serviceAs } from "../common/service.js";
import { language, say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { whilePresent } from "./leaving.js";
import { showTrouble } from "./trouble.js";

const LARGEST_FILE = 67_108_864; // bytes that the service takes
let chosen = null;

export function beginRecord() {
  byId("file").addEventListener("change", () => choose(byId("file").files[0]));
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      byId("drop").classList.toggle("over", kind === "dragenter" || kind === "dragover");
      if (kind === "drop") choose(event.dataTransfer.files[0]);
    }, { signal: whilePresent });
  }
  byId("open-record").addEventListener("click", openRecord);
}

async function choose(file) {
  if (!file) return;
  chosen = file;
  byId("verdict").hidden = true;
  byId("record").scrollIntoView({ block: "nearest" });
  byId("checking").textContent = say("checking", { name: file.name });
  try {
    const report = await verified(file);
    if (chosen === file) showReport(report);
  } catch (error) {
    if (chosen === file) showVerdict(false, say("record_unreadable"), [[say("finding"), element("span", { lang: "en", text: error.message })]], false);
  }
  if (chosen === file) byId("checking").textContent = "";
}

// What the second verifier says. Keys are asked of it only for a record that somebody signed: without a signature it
// would have nothing else to say of one that holds.
async function verified(file) {
  const { verify } = await import("../second_verifier/verifier.mjs");
  const report = await verify(await opened(file));
  if (!report.ok || !report.signed_by) return report;
  const { keys } = await serviceAs().get("/v1/signing-keys").catch(() => ({ keys: [] }));
  const signed = await verify(await opened(file), { keys: keys.map(({ key }) => key) });
  return { ...report, trusted: keys.length > 0 && signed.ok && signed.trusted };
}

async function opened(file) {
  const stream = (await isPacked(file)) ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  return pieces(stream.getReader());
}

async function isPacked(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return first === 0x1f && second === 0x8b;
}

async function* pieces(reader) {
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function showReport(report) {
  if (report.is_record === false) return showVerdict(false, say("no_record"), [], false);
  const findings = report.findings.map((finding) => [say("finding"), ...written(finding)]);
  const signer = !report.signed_by ? "signed_by_nobody" : report.trusted ? "signed_here" : "signed_elsewhere";
  return showVerdict(report.ok, say(report.ok ? "record_holds" : "record_does_not_hold"), [
    ...findings,
    [say("game_of_record"), [report.game, report.system].filter(Boolean).join(" · ")],
    [say("entries_that_hold"), String(report.entries)],
    [say("signature"), say(signer)],
    [say("chain_head"), report.head],
  ], report.entries > 0 && chosen.size <= LARGEST_FILE);
}

// Where the reader's language is another one, the verifier's own words stand behind what they are about.
function written(finding) {
  const { version, reason } = finding;
  const told = version ? say("finding_at", { version, reason: findingOf(finding) }) : findingOf(finding);
  return isTranslated(finding) ? [told, element("span", { class: "quiet", lang: "en", text: ` (${reason})` })] : [told];
}

function showVerdict(holds, text, facts, canBeOpened) {
  showTrouble(byId("record-trouble"), null);
  byId("verdict").className = `result ${holds ? "holds" : "fails"}`;
  byId("verdict-title").textContent = text;
  byId("verdict-facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, ...values]) =>
    [element("dt", { text: name }), element("dd", {}, ...values)]));
  byId("open-record").parentElement.hidden = !canBeOpened;
  byId("verdict").hidden = false;
  byId("verdict").focus();
}

// The service makes the tables of it, as it does of its own games, and keeps nothing.
async function openRecord() {
  showTrouble(byId("record-trouble"), null);
  wait(true);
  try {
    const [written, { showViewer }] = await Promise.all([drawn(chosen), import("./viewing.js")]);
    await showViewer(written);
  } catch (error) {
    if (whilePresent.aborted) throw error;
    wait(false);
    showTrouble(byId("record-trouble"), error);
  }
}

async function drawn(file) {
  const packed = await isPacked(file);
  const headers = { "Content-Type": packed ? "application/gzip" : "application/x-ndjson" };
  return (await serviceAs().ask("POST", "/v1/verifications", { values: { text: language }, body: file, headers })).history;
}

function wait(isWaiting) {
  byId("open-record").disabled = isWaiting;
  byId("checking").textContent = isWaiting ? say("opening") : "";
}
