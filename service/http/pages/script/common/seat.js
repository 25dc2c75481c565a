// Whose eyes these are: the token of a seat or a spectator, which a link brings in its fragment and this browser keeps.

const KEPT = "fieldbook/seat/";

// The token for a game, if there is one. A link's token leaves the address at once: it is not to be shared by mistake.
export function openSeat(game) {
  const named = new URLSearchParams(location.hash.slice(1));
  const token = named.get("token");
  if (token) {
    localStorage.setItem(KEPT + game, token);
    named.delete("token");
    history.replaceState(null, "", `${location.pathname}${location.search}${named.size ? `#${named}` : ""}`);
  }
  return token || seatOf(game);
}

// Where a game is open already, the link of a seat changes nothing but the fragment: then the page begins anew with it.
export function followSeat(game) {
  window.addEventListener("hashchange", ({ newURL }) => {
    const token = new URLSearchParams(new URL(newURL).hash.slice(1)).get("token");
    if (!token) return;
    keepSeat(game, token);
    location.reload();
  });
}

export const seatOf = (game) => localStorage.getItem(KEPT + game) ?? "";

export function keepSeat(game, token) {
  localStorage.setItem(KEPT + game, token);
}

export function leaveSeat(game) {
  localStorage.removeItem(KEPT + game);
}
