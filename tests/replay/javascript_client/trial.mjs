/** What a program does at a table, with whatever the client's modules are here: in Node, or in a page. */

const COMMANDS = 8;

/** Sets a table for three up, plays by legal commands, hears each entry once though it goes away in between; checks all. */
export async function trial({ Fieldbook, RefusedByTheRules, checkRecord, followChecked, isEntry }, { address, key }) {
  const host = new Fieldbook(address, key);
  const made = await host.send("POST", "/v1/games", { system: "classic", seats: [{ name: "Ann" }, { name: "Ben" }, null] });
  const { game } = made;
  const taken = await new Fieldbook(address).send("POST", "/v1/games/{game}/seats", { name: "Cat" }, { game });
  const seats = [...made.seats.flatMap(({ token }) => token ?? []), taken.token].map((token) => host.as(token));
  const heard = [];
  const hear = async (seat, after, until) => {
    for await (const frame of followChecked(seat, game, { after })) {
      if (isEntry(frame)) heard.push(frame.data.entry.version);
      if (heard.at(-1) >= until) return;
    }
  };

  const first = hear(seats[0], 0, taken.version + 1);
  let version = taken.version;
  for (let sent = 0; sent < COMMANDS; sent += 1) {
    const { waiting_for: [next] } = await seats[0].get("/v1/games/{game}", { game });
    const { commands } = await seats[next].get("/v1/games/{game}/commands", { game });
    ({ version } = await seats[next].send("POST", "/v1/games/{game}/commands", commands.find(({ form }) => !form), { game }));
  }
  await first;
  await hear(seats[0], heard.at(-1), version);
  const refused = await seats[0].send("POST", "/v1/games/{game}/commands", { type: "plant", field: 7 }, { game }).catch((error) => error);
  const { entries } = await checkRecord(host.as(""), game);
  return { version, heard, entries, refused: refused instanceof RefusedByTheRules && refused.section, legal: refused.body.legal_commands.length };
}
