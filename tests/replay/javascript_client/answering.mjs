/** The client in Node, doing what it is told, line by line; follows games meanwhile. */
import { createInterface } from "node:readline";
import * as client from "../../../replay/javascript_client/index.js";
import { trial } from "./trial.mjs";

process.removeAllListeners("warning");

const followed = new Map();
const checked = new Map();
const service = ({ address, token, patience }) => new client.Fieldbook(address, token, { patience });

/** Everything that a stream tells, until it ends. */
async function keep(kept, frames) {
  try {
    for await (const frame of frames) {
      if (client.isEntry(frame)) kept.heard.push(frame.data.entry.version);
      else kept.others.push(frame.event);
    }
    kept.ended = "over";
  } catch (error) {
    kept.ended = error.name;
  }
}

const CALLS = {
  trial: (given) => trial(client, given),
  ask: ({ method, path, values, body, key, headers, ...where }) => service(where).ask(method, path, { values, body, key, headers }),
  follow: ({ name, game, after, isChecked, ...where }) => {
    const kept = { heard: [], others: [], connections: [], ended: "", end: new AbortController() };
    followed.set(name, kept);
    const options = { after, signal: kept.end.signal, connected: (isConnected) => kept.connections.push(isConnected) };
    keep(kept, (isChecked ? client.followChecked : client.follow)(service(where), game, options));
  },
  heard: ({ name }) => ({ ...followed.get(name), end: undefined }),
  leave: ({ name }) => followed.get(name).end.abort(),
  begin_check: async ({ name, game, receipts, ...where }) => {
    const kept = [];
    checked.set(name, new client.CheckedGame(service(where), game, { receipts, keep: (note) => kept.push(note) }));
    await checked.get(name).begin();
    return { version: checked.get(name).version, kept };
  },
  check_while_reading: async ({ game, line, ...where }) => {
    const fieldbook = service(where);
    const record = await fieldbook.open("/v1/games/{game}/record", "application/x-ndjson", { game });
    const checking = new client.CheckedGame(fieldbook, game);
    const get = fieldbook.get.bind(fieldbook);
    let asked, during, taken;
    fieldbook.get = (...about) => (asked = get(...about));
    fieldbook.open = async () => (async function* () {
      const bytes = [];
      for await (const chunk of record) bytes.push(...chunk);
      yield Uint8Array.from(bytes.slice(0, bytes.length / 2));
      during = checking.version;
      taken = checking.take(line);
      await new Promise(setImmediate);
      await asked;
      await new Promise(setImmediate);
      yield Uint8Array.from(bytes.slice(bytes.length / 2));
    })();
    await checking.begin();
    await taken;
    return { during, version: checking.version };
  },
  check: async ({ name, line }) => {
    await checked.get(name).take(line);
    return checked.get(name).version;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...given } = JSON.parse(line);
  const answer = await Promise.resolve(given).then(CALLS[call]).then(
    (found) => ({ found }),
    ({ name, message, code, status, section, check, version, body }) => ({ rejected: { name, message, code, status, section, check, version, body } }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
