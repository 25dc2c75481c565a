// Three people at a table, in TypeScript: they do what is legal; one of them hears of it, goes away and comes back.
import { checkRecord, Fieldbook, followChecked, isEntry, RefusedByTheRules } from "fieldbook";
import type { components } from "fieldbook/contract";

type Command = components["schemas"]["Command"];
type Entry = components["schemas"]["LogEntry"];

const [address, key] = process.argv.slice(2);
const COMMANDS = 5;

// A table, and a token for each who sits there: of those who set it up, and of Cat, who takes the seat that is free.
const host = new Fieldbook(address, key);
const made = await host.send("POST", "/v1/games", { system: "classic", seats: [{ name: "Ann" }, { name: "Ben" }, null] });
const { game } = made;
const cat = await new Fieldbook(address).send("POST", "/v1/games/{game}/seats", { name: "Cat" }, { game });
const tokens = [...made.seats.map(({ token }) => token), cat.token];
const seats = tokens.flatMap((token) => (token ? [host.as(token)] : []));

// Sends the first of the legal commands that is complete; the version that it led to, unless others have to act.
async function move(seat: Fieldbook): Promise<number | undefined> {
  const legal = await seat.get("/v1/games/{game}/commands", { game });
  const command = legal.commands.find((each): each is Command => !("form" in each));
  if (!command || !legal.waiting_for.includes(legal.seat)) return undefined;
  return (await seat.send("POST", "/v1/games/{game}/commands", command, { game })).version;
}

async function play(): Promise<number> {
  let version = 0;
  for (let sent = 0; sent < COMMANDS; ) {
    for (const seat of seats) {
      const reached = await move(seat);
      if (reached === undefined) continue;
      version = reached;
      sent += 1;
    }
  }
  return version;
}

// What happens after a version, until another one: what does not hold is an error, and nothing that follows it is told.
async function hear(after: number, until: number): Promise<number> {
  for await (const frame of followChecked(seats[0]!, game, { after })) {
    if (isEntry(frame)) {
      console.log(describe(frame.data.entry));
      after = frame.data.entry.version;
    }
    if (after >= until) break;
  }
  return after;
}

function describe(entry: Entry): string {
  switch (entry.type) {
    case "bean_planted":
      return `${entry.version}: seat ${entry.data.seat} planted ${entry.data.card} on field ${entry.data.field}`;
    case "cards_drawn":
      return `${entry.version}: seat ${entry.data.seat} drew ${entry.data.cards.length} cards`;
    default:
      return `${entry.version}: ${entry.type}`;
  }
}

// Ann hears how it begins and goes away; she comes back, says what she has heard, and hears the rest.
const hearing = hear(0, cat.version);
await play();
const heard = await hearing;
await hear(heard, await play());

// A move that the rules refuse changes nothing, and says why, and what would be legal.
try {
  await seats[1]!.send("POST", "/v1/games/{game}/commands", { type: "plant", field: 9 }, { game });
} catch (refused) {
  if (!(refused instanceof RefusedByTheRules)) throw refused;
  console.log(`refused: ${refused.code} (${refused.section}); ${refused.body.legal_commands.length} are legal`);
}

// Anybody gets the record so far, and checks it for themselves.
const { entries, head } = await checkRecord(new Fieldbook(address), game);
console.log(`${entries} entries hold, up to ${head.slice(0, 8)}`);
