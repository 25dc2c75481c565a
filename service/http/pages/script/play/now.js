// The table as it is now, and at whose seat this window sits.

export const now = { api: undefined, game: "", seat: -1, scene: undefined, showNewest: undefined };
export const sceneFollowers = []; // called with the scene that is new, and the one before

// Takes a scene, unless a newer one is known already.
export function takeNow(scene) {
  const before = now.scene;
  if (before && scene.version < before.version) return;
  now.scene = scene;
  for (const follow of sceneFollowers) follow(scene, before);
}

export const part = (name) => now.scene.scene[name];
export const ownHand = () => listOf(part(`${now.seat}.hand`));
export const revealed = () => listOf(part("revealed"));
export const isActive = () => part("active") === now.seat;
export const isAwaited = () => (part("waiting") ?? []).includes(now.seat);
export const seats = () => now.scene.table.seats;
export const seatName = (number) => seats()[number]?.name ?? String(number);

// A hand of which nothing is known is only a number.
function listOf(cards) {
  return Array.isArray(cards) ? cards : [];
}

// The place in the list of cards that a key of commands has; -1 where there is none.
export const cardOf = (key) => now.scene.card_keys.indexOf(key);
export const cardName = (card) => now.scene.cards[card]?.[0] ?? "?";

const lists = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" });
export const listed = (texts) => lists.format(texts);

// Cards counted by name: "2 × blue bean and 1 × chili bean".
export function countedNames(cards) {
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  return listed([...counts].map(([card, count]) => `${count} × ${cardName(card)}`));
}
