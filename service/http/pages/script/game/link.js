// The link of a seat or a spectator. The service confirms its token before this browser keeps it, and the token of a
// seat that is kept already is replaced only if the person agrees.

import { isEmbedded } from "../common/frame.js";
import { isSeatToken, keepSeat, removeToken, seatOf } from "../common/seat.js";
import { serviceAs } from "../common/service.js";
import { forget, keep, keepOfGame, kept, SEATS } from "../common/storage.js";
import { say } from "../common/words.js";
import { choose } from "../play/dialog.js";
import { byId, element } from "../table/elements.js";

const PENDING = "fieldbook/link/"; // and the id of a game: the token of a link until the page has decided about it
const WINDOW = "sessionStorage"; // loading the page again meanwhile loses no link
const REFUSED = [401, 403, 404]; // how the service answers a token that opens nothing of this game
const FROM_LINKS = /^fb[sw]_/; // tokens of a seat and of a spectator; a key opens more than one game and comes by no link
const NO_LINK = { body: { code: "bad_token" } }; // the refusal of any other token

// Opens the game as the link says, or with the token that is kept: sets `api.token`. `ask` asks until there is an answer.
export async function openByLink(api, game, ask) {
  const own = seatOf(game);
  const token = takeLink(game) || (isEmbedded() ? "" : kept(PENDING + game, WINDOW));
  if (token && token !== own) await decide(api, game, { own, token, ask });
  if (token) forgetLink(game);
  if (api.token !== own) keepSeat(game, api.token);
  else if (own) keepOfGame(SEATS, game, own); // mark it as opened last
}

// Where a game is open already, another link changes only the fragment: the page is loaded again with it.
export function followLinks(game) {
  window.addEventListener("hashchange", () => takeLink(game) && location.reload());
}

export const forgetLink = (game) => forget(PENDING + game, WINDOW);

// The token of the link in the address. A page in a frame takes none: another site or link chose its address.
function takeLink(game) {
  const token = removeToken();
  if (!token || isEmbedded()) return "";
  keep(PENDING + game, token, WINDOW);
  return token;
}

async function decide(api, game, { own, token, ask }) {
  const tableAs = (one) => tableOrRefusal(() => ask(() => serviceAs(one).get(`/v1/games/${game}`)));
  const linked = FROM_LINKS.test(token) ? await tableAs(token) : { refusal: NO_LINK };
  if (linked.refusal && !own) {
    api.token = token;
    throw linked.refusal;
  }
  if (linked.refusal) return tellRefused();
  const sitting = isSeatToken(own) ? await tableAs(own) : undefined;
  const isOtherSeat = sitting && !sitting.refusal && sitting.viewer !== linked.viewer;
  if (!isOtherSeat || (await mayReplace(nameOf(sitting), nameOf(linked)))) api.token = token;
  return undefined;
}

async function tableOrRefusal(ask) {
  try {
    return await ask();
  } catch (error) {
    if (!REFUSED.includes(error.status)) throw error;
    return { refusal: error };
  }
}

// The name of the player in whose seat this table is seen; undefined for a spectator.
const nameOf = ({ viewer, seats }) => (viewer.startsWith("seat:") ? seats[Number(viewer.slice("seat:".length))].name : undefined);

async function mayReplace(own, other) {
  const kind = other === undefined ? "spectator" : "seat";
  const options = [
    { label: say("link_stay", { own }), value: false, main: true },
    { label: say(`link_use_${kind}`, { other }), value: true },
  ];
  return (await choose(say("link_title"), options, { text: say(`link_${kind}`, { own, other }), cancel: "" })) === true;
}

function tellRefused() {
  byId("summary").insertAdjacentElement("afterend", element("p", { id: "link-refused", class: "notice", role: "status", text: say("link_refused") }));
}
