"use strict";
// A game of beans for boardgame.io, of the shape of ours: hands in order that only their owner sees, a shuffled draw
// pile, fields, coins, and trading in which everybody may act. It knows fewer rules than ours, which is in its favour.

const { INVALID_MOVE, Stage } = require("boardgame.io/core");

const PLAYERS = 4;
const VARIETIES = { blue: 20, chili: 18, stink: 16, green: 14, soy: 12, black_eyed: 10, red: 8, garden: 6 };
const OFFERS_IN_A_TURN = 2;

function setup({ random }) {
  const cards = Object.entries(VARIETIES).flatMap(([name, count]) => Array(count).fill(name));
  const deck = random.Shuffle(cards);
  const seats = Array.from({ length: PLAYERS }, () => ({
    hand: deck.splice(0, 5),
    fields: [null, null],
    aside: [],
    coins: 0,
  }));
  return { deck, discard: [], seats, revealed: [], offers: [], next: 0, planted: 0, step: "plant" };
}

function coinsFor(count) {
  return count < 2 ? 0 : count < 4 ? 1 : count < 6 ? 2 : 3;
}

function harvest(G, seat, place) {
  const field = seat.fields[place];
  const coins = coinsFor(field.count);
  seat.coins += coins;
  for (let left = field.count - coins; left > 0; left--) G.discard.push(field.bean);
  seat.fields[place] = null;
}

function sow(G, seat, bean) {
  let place = seat.fields.findIndex((field) => field && field.bean === bean);
  if (place < 0) place = seat.fields.indexOf(null);
  if (place < 0) {
    place = seat.fields[0].count <= seat.fields[1].count ? 0 : 1;
    harvest(G, seat, place);
  }
  const field = seat.fields[place];
  seat.fields[place] = { bean, count: (field ? field.count : 0) + 1 };
}

function drawn(G, random, count) {
  const cards = [];
  while (cards.length < count) {
    if (!G.deck.length) {
      G.deck = random.Shuffle(G.discard);
      G.discard = [];
      if (!G.deck.length) break;
    }
    cards.push(G.deck.pop());
  }
  return cards;
}

// What needs hidden cards is decided by the server alone: `client: false`, as boardgame.io's documentation says.
const onServer = (move) => ({ move, client: false });

const moves = {
  plant: onServer(({ G, ctx }) => {
    const seat = G.seats[ctx.currentPlayer];
    if (G.step !== "plant" || !seat.hand.length || G.planted >= 2) return INVALID_MOVE;
    sow(G, seat, seat.hand.shift());
    G.planted += 1;
  }),
  reveal: onServer(({ G, random, events }) => {
    if (G.step !== "plant" || !G.planted) return INVALID_MOVE;
    G.revealed = drawn(G, random, 2);
    G.step = "trade";
    events.setActivePlayers({ all: Stage.NULL });
  }),
  offer: onServer(({ G, playerID }, want) => {
    if (G.step !== "trade" || !(want in VARIETIES)) return INVALID_MOVE;
    if (G.offers.filter((offer) => offer.seat === playerID).length >= OFFERS_IN_A_TURN) return INVALID_MOVE;
    G.offers.push({ number: G.next++, seat: playerID, want, open: true });
  }),
  withdraw: onServer(({ G, playerID }, number) => {
    const offer = G.offers.find((each) => each.number === number);
    if (!offer || offer.seat !== playerID || !offer.open) return INVALID_MOVE;
    offer.open = false;
  }),
  accept: onServer(({ G, playerID }, number) => {
    const offer = G.offers.find((each) => each.number === number);
    if (!offer || !offer.open || offer.seat === playerID || !G.revealed.length) return INVALID_MOVE;
    const seat = G.seats[playerID];
    const place = seat.hand.indexOf(offer.want);
    if (place < 0) return INVALID_MOVE;
    G.seats[offer.seat].aside.push(...seat.hand.splice(place, 1));
    seat.aside.push(G.revealed.pop());
    offer.open = false;
  }),
  endTrading: onServer(({ G, ctx, events }) => {
    if (G.step !== "trade") return INVALID_MOVE;
    G.seats[ctx.currentPlayer].aside.push(...G.revealed);
    G.revealed = [];
    G.offers = [];
    G.step = "aside";
  }),
  plantAside: onServer(({ G, playerID }) => {
    const seat = G.seats[playerID];
    if (G.step !== "aside" || !seat.aside.length) return INVALID_MOVE;
    sow(G, seat, seat.aside.shift());
  }),
  draw: onServer(({ G, ctx, random, events }) => {
    if (G.step !== "aside" || G.seats.some((seat) => seat.aside.length)) return INVALID_MOVE;
    G.seats[ctx.currentPlayer].hand.push(...drawn(G, random, 3));
    G.planted = 0;
    G.step = "plant";
    events.endTurn();
  }),
};

/** What a seat may know: its own hand, how many cards the others hold, and nothing of the draw pile. */
function playerView({ G, playerID }) {
  return {
    ...G,
    deck: G.deck.length,
    seats: G.seats.map((seat, number) =>
      String(number) === playerID ? seat : { ...seat, hand: seat.hand.length },
    ),
  };
}

module.exports = { game: { name: "beans", setup, moves, playerView, minPlayers: PLAYERS, maxPlayers: PLAYERS }, PLAYERS, VARIETIES };
