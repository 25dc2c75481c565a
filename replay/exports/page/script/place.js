// Where the reader is: a version and a perspective, also in the address, so that a link leads to the same place.

import { clamped } from "./elements.js";
import { annotated } from "./notes.js";
import { countUpTo, data, labels, last, nameOf, starts } from "./record.js";

export let perspectives = [];
// `follows` says whether one goes along with a game that goes on; a step of one's own ends that until the next event.
export const place = { version: 1, perspective: "", follows: false };
export const followers = [];
export const further = new Map(); // what else the address names, by name; whoever draws it puts it there

// Stands where one begins: a game's table is empty before its first turn, so it is there.
export function beginPlace() {
  perspectives = data.perspectives.map((each) => each.key);
  Object.assign(place, { version: starts.turn[0] ?? 1, perspective: perspectives[0], follows: false });
}

// The version and perspective that the address names; what it does not name stays, and a version is undefined then.
export function placeInAddress() {
  const named = new URLSearchParams(location.hash.slice(1));
  const version = Number.parseInt(named.get("v") ?? "", 10);
  const perspective = named.get("as");
  return {
    version: Number.isNaN(version) ? undefined : version,
    perspective: perspectives.includes(perspective) ? perspective : place.perspective,
  };
}

// Whether the address names the version also where that is the last one, and whether it rests: while what it names
// is on its way.
export const naming = { last: true, rests: false };
let addressTimer = 0;

// Some browsers refuse more than a few changes of the address in a second.
export function nameInAddress() {
  clearTimeout(addressTimer);
  const before = location.hash;
  addressTimer = setTimeout(() => {
    // Where another address has come meanwhile, whoever follows it names where it leads.
    if (naming.rests || location.hash !== before) return;
    const named = fragment();
    if (location.hash !== named) history.replaceState(null, "", named);
  }, 250);
}

// What of an address leads to what one sees.
export function fragment() {
  const rest = [...further].map(([name, value]) => `&${name}=${encodeURIComponent(value)}`);
  const version = place.version < last || naming.last ? `v=${place.version}&` : "";
  return `#${version}as=${place.perspective}${rest.join("")}`;
}

// Goes to a version and a perspective, and lets everything follow; `again` draws what has changed where one stands, and
// `anew` everything. With `follows` one goes along with what happens; without a version that stays as it is.
export function go(to) {
  const version = clamped(to.version ?? place.version, Math.min(1, last), last);
  const perspective = to.perspective ?? place.perspective;
  const follows = to.follows ?? (to.version === undefined && place.follows);
  const turned = perspective !== place.perspective;
  const stays = version === place.version && follows === place.follows;
  if (stays && !turned && !to.anew && !to.again) return;
  Object.assign(place, { version, perspective, follows });
  followers.forEach((follow) => follow({ turned: turned || to.anew === true }));
  nameInAddress();
}

// Where a step by a unit leads. A command ends before the next one begins; a phase and a turn are where they begin.
export function stepped(unit, direction) {
  const { version } = place;
  if (unit === "event") return version + direction;
  const begins = starts[unit];
  if (unit === "command") {
    if (direction > 0) return (begins[countUpTo(begins, version + 1)] ?? last + 1) - 1;
    return begins[countUpTo(begins, version) - 1] - 1 || 1;
  }
  if (direction > 0) return begins[countUpTo(begins, version)] ?? last;
  return begins[countUpTo(begins, version - 1) - 1] ?? 1;
}

export function steppedNote(direction) {
  const found = direction > 0 ? annotated[countUpTo(annotated, place.version)] : annotated[countUpTo(annotated, place.version - 1) - 1];
  return found ?? place.version;
}

export function nextPerspective(direction) {
  const count = perspectives.length;
  return perspectives[(perspectives.indexOf(place.perspective) + direction + count) % count];
}

export function perspectiveName({ key, seat }) {
  if (key === "all") return labels.everything;
  if (key === "public") return labels.public;
  return `${seat}: ${nameOf(seat) ?? key}`;
}
