// What this browser keeps, of the games that were opened last. Where storage is forbidden, or full, it is kept as long as
// the page is open: a page begins all the same.

export const SEATS = "fieldbook/seat/"; // and the id of a game: the token with which it was opened last
export const RECEIPTS = "fieldbook/receipts/"; // and the id of a game: what the service signed about it
export const TABLES = "fieldbook/tables"; // the games at which somebody sits here, the newest first
const OPENED = "fieldbook/opened"; // the games of which something is kept, the newest first
const MOST_GAMES = 100; // of further ones nothing is kept, unless somebody sits there
const fleeting = new Map(); // what could not be stored

// What is kept under a name, null where nothing is. `where` is "sessionStorage" for what a window forgets when it is closed.
export const kept = (name, where = "localStorage") => fleeting.get(name) ?? stored(name, where);

// A list of texts that is kept; empty where there is none, or something else.
export function keptList(name) {
  try {
    const list = JSON.parse(kept(name) ?? "[]");
    return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function keep(name, value, where = "localStorage") {
  for (;;) {
    try {
      window[where].setItem(name, value);
      fleeting.delete(name);
      return;
    } catch {
      if (where === "localStorage" && makeRoom(name)) continue;
      fleeting.set(name, value);
      return;
    }
  }
}

export function forget(name, where = "localStorage") {
  fleeting.delete(name);
  try {
    window[where].removeItem(name);
  } catch {
    // Where storage is forbidden there is nothing.
  }
}

// Keeps something of a game, which is the one opened last now; what is kept of the oldest ones goes.
export function keepOfGame(kind, game, value) {
  keep(kind + game, value);
  const games = [game, ...opened().filter((each) => each !== game)];
  const staying = new Set([...games.slice(0, MOST_GAMES), ...keptList(TABLES)]);
  for (const each of games.filter((one) => !staying.has(one))) [SEATS, RECEIPTS].forEach((one) => forget(one + each));
  keep(OPENED, JSON.stringify(games.filter((each) => staying.has(each))));
}

// The games of which something is kept. Those of which nobody noted when they were opened count as the oldest.
function opened() {
  const noted = keptList(OPENED);
  const named = (kind) => names().filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  return [...new Set([...noted, ...named(SEATS), ...named(RECEIPTS)])];
}

// The receipts of the game that was opened longest ago go first. No token does: its seat would be lost.
function makeRoom(name) {
  const oldest = opened().findLast((game) => RECEIPTS + game !== name && stored(RECEIPTS + game) !== null);
  if (oldest === undefined) return false;
  forget(RECEIPTS + oldest);
  return stored(RECEIPTS + oldest) === null;
}

function stored(name, where = "localStorage") {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

function names() {
  try {
    return Object.keys(window.localStorage);
  } catch {
    return [];
  }
}
