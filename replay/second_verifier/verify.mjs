#!/usr/bin/env node
/** The second verifier as a command: the verdict on a record, with the exit statuses of docs/replay.md. */
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createGunzip } from "node:zlib";
import { unknownOf } from "./unknown.mjs";
import { linesIn, verify } from "./verifier.mjs";

const USAGE = "Usage: node verify.mjs RECORD [--key KEY|FILE]... [--signing-keys FILE] [--checkpoint FILE] [--receipt FILE]... [--json]";
const LONGEST_TRUSTED = 100_000;
const OPTIONS = {
  key: { type: "string", multiple: true, default: [] },
  "signing-keys": { type: "string" },
  checkpoint: { type: "string" },
  receipt: { type: "string", multiple: true, default: [] },
  json: { type: "boolean", default: false },
};
const STATUS = { holds: 0, finding: 1, usage: 2, internal: 70, writing: 74, brokenPipe: 141 };
class Usage extends Error {}
class OutputFailed extends Error {}

/** Text of unknown origin as it can be shown on a terminal. */
const safe = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `<${sign.codePointAt(0).toString(16)}>`);

function textOf(path) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    if (text.length <= LONGEST_TRUSTED) return text;
  } catch (error) {
    throw new Usage(`${path} cannot be read: ${error.code ?? "it is no text"}`);
  }
  throw new Usage(`${path} is too long`);
}
const fileOf = (path) => (path === undefined ? undefined : textOf(path));
function isFile(path) {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
const keysOf = (given) => {
  const text = given.includes("+") && !existsSync(given) ? given : textOf(given);
  if (linesIn(text).length) return text;
  throw new Usage(`${given} holds no key. Expected one public key on each line.`);
};

/** The bytes of a record, unpacked where it is gzipped; nothing is read before it is asked for. */
async function* bytesOf(path) {
  const source = path === "-" ? process.stdin : createReadStream(path);
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  const packed = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (!packed) return yield* all;
  const unpacked = createGunzip();
  const feeding = (async () => {
    for await (const chunk of all) if (!unpacked.write(chunk)) await new Promise((go) => unpacked.once("drain", go));
    unpacked.end();
  })().catch((error) => unpacked.destroy(error));
  yield* unpacked;
  await feeding;
}

/** Write to standard output at once: `console.log` hides errors. */
function write(text) {
  try {
    writeFileSync(1, text);
  } catch (error) {
    throw new OutputFailed(`Standard output cannot be written: ${error.code}`, { cause: error });
  }
}

/** The report as text. */
function described(report) {
  const lines = [];
  const put = (name, text) => lines.push(name.padEnd(14) + safe(text));
  lines.push(`${safe(report.game) || "This record"}: ${report.ok ? "verified" : "DOES NOT VERIFY"}`);
  for (const { check, version, reason } of report.findings) {
    put("finding", `${version ? `version ${version}` : "the header"}: ${reason} [${check}]`);
  }
  put("scope", report.scope);
  put("rule system", report.system);
  put("entries", `${report.entries} hold`);
  if (report.clock) {
    const { expired, forced, credited } = report.clock;
    put("clock", `time was over ${expired} times, ${forced} moves made for seats; ${credited} ms given back`);
  }
  if (report.discarded.length) put("discarded", report.discarded.map(([first, last]) => `${first} to ${last}`).join(", "));
  put("chain head", report.head || "none");
  put("status", report.status);
  if (report.signed_by) put("signed by", report.signed_by + (report.trusted ? "" : "  (attached, not one of yours)"));
  if (report.logged) put("in the log", `${report.logged} entries`);
  for (const { reason } of report.unknown) put("not known", reason);
  return lines.join("\n");
}

async function main() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (positionals.length !== 1) throw new Usage(USAGE);
  const [record] = positionals;
  if (record !== "-" && !isFile(record)) throw new Usage(`${record}: there is no such file`);
  const trust = {
    keys: values.key.length ? values.key.map(keysOf) : undefined,
    signingKeys: fileOf(values["signing-keys"]),
    checkpoint: fileOf(values.checkpoint),
    receipts: values.receipt.map(textOf),
  };
  const verified = await verify(bytesOf(record), trust), report = { ...verified, unknown: unknownOf(verified) };
  if (report.is_record === false) throw new Usage(`${record} is no record: its first line is not the header that records begin with`);
  write(`${values.json ? JSON.stringify(report, null, 2) : described(report)}\n`);
  return report.ok ? STATUS.holds : STATUS.finding;
}

/** The status for an error: those with a code come from options and files, those with a check from what is to be trusted. */
function statusOf(error) {
  if (error instanceof OutputFailed) return error.cause.code === "EPIPE" ? STATUS.brokenPipe : STATUS.writing;
  return error instanceof Usage || error.code || error.check ? STATUS.usage : STATUS.internal;
}

// Node 20 warns that Ed25519 in WebCrypto is new; that is no word for whoever reads a verdict.
process.removeAllListeners("warning");
main().then(
  (status) => (process.exitCode = status),
  (error) => {
    process.exitCode = statusOf(error);
    if (process.exitCode !== STATUS.brokenPipe) console.error(safe(error.message));
  },
);
