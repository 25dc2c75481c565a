// What is told of a case: what it is about and until when, what was said, how it was ruled, what has happened in it.

import { language, say, words } from "../common/words.js";
import { moment } from "../common/written.js";
import { element } from "../table/elements.js";
import { place } from "../table/place.js";
import { data, last, nameOf, sentenceAt } from "../table/record.js";
import { versionLink } from "./panel.js";

const ENDED = ["final", "withdrawn", "lapsed"];
const RULED = ["ruled", "final"]; // statuses in which the arbiter of the ruling is the last one
const PACK_BUILT = "evidence_pack_built"; // which follows whatever is said, and is nobody's step
const lists = new Intl.ListFormat(language, { type: "conjunction" });

// Whether nothing more happens in it.
export const isOver = (found) => ENDED.includes(found.status);

export function facts(found) {
  const arbiter = found.arbiter ?? (RULED.includes(found.status) ? found.rulings.at(-1).by : null);
  const awaited = found.awaited.map((who) => personIn(found, who));
  const rows = [
    [say("reason"), words[`dispute.${found.reason}`] ?? found.reason],
    [say("opened_by"), element("bdi", { text: found.opener.name })],
    [say("opened"), moment(found.opened)],
    [say("about"), versionLink(found.version)],
    found.until && [say(`until_${found.status}`), moment(found.until)],
    heldUp(found),
    arbiter && [say("arbiter"), element("bdi", { text: arbiter.name })],
    awaited.length && [say("awaited"), element("bdi", { text: lists.format(awaited) })],
  ].filter(Boolean);
  return element("dl", {}, ...rows.flatMap(([label, value]) => [element("dt", { text: label }), element("dd", {}, value)]));
}

// What of the table is told with a case: it changes while the case does not.
export function fromTable(found) {
  const names = [];
  for (let seat = 0; nameOf(seat) !== undefined; seat += 1) names.push(nameOf(seat));
  return [data.status, names, found.rulings.map(({ to_version: version }) => tellAfter(version))];
}

// Until when a game that goes on waits for the case. With a ruling there is no moment: it waits for what comes of it.
function heldUp(found) {
  if (data.status === "finished" || isOver(found)) return null;
  if (found.possible.includes("resumption") && found.pause_until) return [say("held_up_until"), moment(found.pause_until)];
  const ruling = found.rulings.at(-1);
  const isHeldUp = ruling && ((found.pause && !found.resumed) || ruling.kind === "rewound");
  return isHeldUp ? [say("held_up"), say("held_up_by_ruling")] : null;
}

function personIn(found, who) {
  if (who === found.opener.who) return found.opener.name;
  return who.startsWith("seat:") ? nameOf(who.slice(5)) ?? who : who;
}

// What the parties have said, in the order in which they said it.
export function said(found) {
  const spoken = found.events.filter((each) => each.data.text);
  const pieces = spoken.map(({ by, at, data: { text, versions } }) => element("article", { class: "note" },
    signature(by, at),
    element("p", { class: "comment", dir: "auto", text }),
    versions?.length ? element("p", { class: "listed" }, ...versions.map(versionLink)) : null));
  return [element("h3", { text: say("said") }), ...pieces];
}

// Who has written something, and when.
function signature(by, at) {
  return element("header", {},
    element("bdi", { class: "author", text: by.name }), element("span", { class: "quiet", text: moment(at) }));
}

export function rulings(found) {
  if (!found.rulings.length) return [];
  return [element("h3", { text: say("rulings") }), ...found.rulings.map(rulingTold), effectOf(found)];
}

function rulingTold(ruling) {
  return element("article", { class: "note ruling" },
    signature(ruling.by, ruling.at),
    element("p", {}, element("b", { text: words[`ruling.${ruling.kind}`] ?? ruling.kind })),
    ...outcome(ruling),
    element("p", { dir: "auto", text: `${say("scope")}: ${ruling.scope}` }),
    element("p", { class: "comment", dir: "auto", text: ruling.reason }));
}

// To where the game goes back, or who has won it; what a kind has no use for is left out.
function outcome({ kind, to_version: version, winners, scores }) {
  const line = (label, told) => element("p", {}, `${say("labelled", { label })} `, element("bdi", { text: told }));
  if (kind === "rewound") {
    const goal = element("p", {}, element("b", { text: say("back_to") }), " ", versionLink(version));
    return [goal, element("p", { class: "quiet", text: tellAfter(version) })];
  }
  if (!["awarded", "replaced"].includes(kind)) return [];
  const won = line(say("winners"), lists.format(winners.map((seat) => nameOf(seat) ?? String(seat))));
  if (kind === "awarded") return [won];
  return [won, line(say("score"), scores.map((score, seat) => `${nameOf(seat) ?? seat} ${score}`).join(", "))];
}

// After what a version is the table, in a sentence; nothing where there is no such version.
export function tellAfter(version) {
  const isThere = version >= 1 && version <= last;
  return isThere ? say("after_event", { sentence: sentenceAt(version, place.perspective) }) : "";
}

// When the ruling takes effect, or since when it has.
function effectOf(found) {
  const when = found.ending?.at ?? found.until;
  return element("p", { class: "effect", text: say(`effect_${found.status}`, { moment: when && moment(when) }) });
}

export const steps = (found) => found.events.map((each) => element("li", { title: each.hash },
  ...step(each), " ", element("span", { class: "quiet", text: moment(each.at) })));

const step = ({ by, type }) => [
  element("span", { text: words[`happened_${type}`] ?? type }), " ", element("bdi", { text: by.name })];

// Where a case is, and what people have done in it since there were so many events.
export function newSteps(found, known) {
  const done = found.events.slice(known).filter(({ type }) => type !== PACK_BUILT);
  if (!done.length) return [];
  const name = say("case_of", { case: `${found.game}/${found.dispute}` });
  return [name, ", ", say(`status_${found.status}`), ...done.flatMap((each) => [", ", ...step(each)])];
}
