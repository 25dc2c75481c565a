// Boards and players by their addresses: which board it is stands in the query, so that a link leads to what was seen.

const USUAL = { system: "classic", pool: "people" };

// What the address says of these names; of those that it does not name, what is usual.
export function chosen() {
  const query = new URLSearchParams(location.search);
  return { system: query.get("system") || USUAL.system, pool: query.get("pool") || USUAL.pool };
}

export const namesBoard = () => new URLSearchParams(location.search).has("system");

export function addressOf(player, { system, pool }) {
  const query = new URLSearchParams(location.search);
  query.set("system", system);
  query.set("pool", pool);
  return `/ratings${player ? `/${encodeURIComponent(player)}` : ""}?${query}`;
}
