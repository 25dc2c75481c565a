/** Verifies what it is sent, one case a line, for as long as there are any: starting Node for each would take hours. */
import { createInterface } from "node:readline";
import { unknownOf } from "../../../replay/second_verifier/unknown.mjs";
import * as verifier from "../../../replay/second_verifier/verifier.mjs";

process.removeAllListeners("warning");

/** Hand out a record in uneven pieces, as a stream would. */
async function* pieces(bytes) {
  for (let start = 0, size = 7; start < bytes.length; start += size, size = (size * 31) % 65_521) {
    yield bytes.subarray(start, start + size);
  }
}
const CALLS = {
  verify: async ({ record, trust }) => {
    const report = await verifier.verify(pieces(Buffer.from(record, "base64")), trust);
    return { ...report, unknown: unknownOf(report) };
  },
  canonical: ({ value }) => verifier.canonical(value),
  salt: async ({ secret, version, path, bound }) => {
    const key = await verifier.saltKey(secret, bound);
    return { key: Buffer.from(key).toString("hex"), salt: await verifier.salt(key, version, path) };
  },
  hashAfter: ({ before, value }) => verifier.hashAfter(before, value),
  shuffleKey: async ({ secret, bound }) => Buffer.from(await verifier.shuffleKey(secret, bound)).toString("hex"),
  numbers: async ({ key, purpose, count }) => {
    const stream = verifier.numbers(Buffer.from(key, "hex"), purpose), found = [];
    while (found.length < count) found.push((await stream.next()).value);
    return found;
  },
  shuffled: ({ key, purpose, cards }) => verifier.shuffled(Buffer.from(key, "hex"), purpose, cards),
  shuffledAlike: ({ key, purpose, cards }) => verifier.shuffledAlike(Buffer.from(key, "hex"), purpose, cards),
  below: ({ key, purpose, count }) => verifier.below(verifier.numbers(Buffer.from(key, "hex"), purpose), count),
  clock: ({ clock, steps }) => {
    const folded = new verifier.Clock({ clock, players: 2 });
    return steps.map((step) => {
      folded.moveOn(...step);
      return Object.fromEntries(folded.waits.map(({ seat, deadline }) => [seat, deadline]));
    });
  },
  signer: async ({ note, key }) =>
    (await verifier.signerOf(verifier.parseNote(note), [await verifier.parseKey(key)])).text,
  inclusion: async ({ proof, leaf }) => (await verifier.checkInclusion(proof, leaf)).index,
  consistency: async ({ proof, older, newer }) => {
    const [one, other] = [older, newer].map((text) => verifier.parseCheckpoint({ text }));
    return verifier.checkConsistency(proof, one, other);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, ...given } = JSON.parse(line);
  const answer = await Promise.resolve(CALLS[call](given)).then(
    (found) => ({ found }),
    (error) => ({ rejected: error.message }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
