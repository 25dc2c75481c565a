// Boards and players by their addresses: which board it is stands in the query, so that a link leads to what was seen.

const USUAL = { system: "classic", pool: "people", time: "always" };

// What the address says of these names; of those that it does not name, what is usual.
export function chosen() {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, query.get(name) || usual]));
}

export const namesBoard = () => new URLSearchParams(location.search).has("system");

export function addressOf(player, { system, pool, time = USUAL.time }) {
  const query = new URLSearchParams(location.search);
  query.set("system", system);
  query.set("pool", pool);
  if (player || time === USUAL.time) query.delete("time"); // a player's page is about all of their games
  else query.set("time", time);
  return `/ratings${player ? `/${encodeURIComponent(player)}` : ""}?${query}`;
}
