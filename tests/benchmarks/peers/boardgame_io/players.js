"use strict";
// `node players.js PORT MATCHES WARM_UP SECONDS LENGTH`: plays so many matches at once and prints what was seen as JSON.
//
// Each match has a client of boardgame.io for each of its seats, with the library's own transport. A move counts when
// another client than its sender's has the state after it; only then the next move of the match is sent. After LENGTH
// moves a match is left and another one begins, because the server keeps a match's whole log in one piece.

const { Client, LobbyClient } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { game, PLAYERS, VARIETIES } = require("./game.js");

const [port, matches, warmUp, seconds, length] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const names = Object.keys(VARIETIES);
const now = () => Number(process.hrtime.bigint()) / 1e6;
const pick = (list) => list[Math.floor(Math.random() * list.length)];

let countsFrom = Infinity;
let ends = Infinity;
const taken = [];

class Match {
  async begin() {
    const lobby = new LobbyClient({ server });
    const { matchID } = await lobby.createMatch("beans", { numPlayers: PLAYERS });
    this.clients = [];
    for (let seat = 0; seat < PLAYERS; seat++) {
      const { playerCredentials } = await lobby.joinMatch("beans", matchID, { playerID: String(seat), playerName: `P${seat}` });
      this.clients.push(
        Client({ game, matchID, playerID: String(seat), credentials: playerCredentials, multiplayer: SocketIO({ server }), debug: false }),
      );
    }
    this.moves = 0;
    this.awaited = null;
    this.clients.forEach((client, seat) => {
      client.subscribe((state) => this.saw(seat, state));
      client.start();
    });
    await this.allConnected();
  }

  async allConnected() {
    while (!this.clients.every((client) => client.getState() && client.getState().isConnected)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Who moves next, and how: the server would refuse anything else. */
  next() {
    const { G, ctx } = this.clients[0].getState();
    const active = Number(ctx.currentPlayer);
    if (G.step === "plant") {
      const plants = G.planted === 0 || (G.planted === 1 && Math.random() < 0.5);
      const hand = this.clients[active].getState().G.seats[active].hand;
      return [active, plants && hand.length ? "plant" : "reveal"];
    }
    if (G.step === "trade") {
      const seat = Math.random() < 0.3 ? Math.floor(Math.random() * PLAYERS) : active;
      const view = this.clients[seat].getState().G;
      const own = view.offers.filter((offer) => offer.seat === String(seat));
      const acceptable = view.offers.filter(
        (offer) => offer.open && offer.seat !== String(seat) && view.revealed.length && view.seats[seat].hand.includes(offer.want),
      );
      const open = own.filter((offer) => offer.open);
      const kinds = [["endTrading", active]];
      if (own.length < 2) kinds.push(["offer", seat, pick(names)]);
      if (open.length) kinds.push(["withdraw", seat, pick(open).number]);
      if (acceptable.length) kinds.push(["accept", seat, pick(acceptable).number]);
      const [name, who, ...rest] = pick(kinds);
      return [who, name, ...rest];
    }
    const holder = G.seats.findIndex((seat) => seat.aside.length);
    return holder < 0 ? [active, "draw"] : [holder, "plantAside"];
  }

  send() {
    const [seat, name, ...rest] = this.next();
    const state = this.clients[seat].getState();
    this.awaited = { sender: seat, state: state._stateID + 1, sent: now(), missing: new Set(this.clients.keys()) };
    this.clients[seat].moves[name](...rest);
  }

  saw(seat, state) {
    const awaited = this.awaited;
    if (!awaited || !state || state._stateID < awaited.state) return;
    if (seat !== awaited.sender && !awaited.seen) {
      awaited.seen = true;
      const at = now();
      if (at >= countsFrom && at < ends) taken.push(at - awaited.sent);
    }
    // The next move is chosen from what its player sees, so all of them see this one first.
    awaited.missing.delete(seat);
    if (awaited.missing.size === 0) {
      this.awaited = null;
      this.moves += 1;
      setImmediate(() => this.goOn());
    }
  }

  async goOn() {
    if (now() >= ends) return;
    if (this.moves >= length) {
      this.leave();
      await this.begin();
    }
    this.send();
  }

  leave() {
    this.clients.forEach((client) => client.stop());
  }
}

async function main() {
  const all = Array.from({ length: matches }, () => new Match());
  for (const match of all) await match.begin();
  console.log("ready");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const begun = now();
  countsFrom = begun + 1000 * warmUp;
  ends = countsFrom + 1000 * seconds;
  let used;
  setTimeout(() => (used = process.cpuUsage()), 1000 * warmUp);
  all.forEach((match) => match.send());
  setTimeout(() => {
    const { user, system } = process.cpuUsage(used);
    const found = { counted: taken.length, seconds, milliseconds: taken, processor_seconds: (user + system) / 1e6 };
    // A pipe holds 64 KiB: leaving at once would cut off what it had no room for.
    process.stdout.write(JSON.stringify(found) + "\n", () => process.exit(0));
  }, 1000 * (warmUp + seconds) + 200);
}

main();
