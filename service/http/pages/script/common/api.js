// The public API, as a page asks it: JSON in and out, a problem (RFC 9457) as an error, a command sent once.

const PATIENCE = [500, 1000, 2000, 4000]; // milliseconds before asking again, where nothing answered

// What the service has refused, with its stable code.
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || String(status));
    Object.assign(this, { status, body, code: body.code || `status_${status}`, section: body.section });
  }
}

// Nothing answered, also after some patience.
export class Away extends Error {}

export class Api {
  constructor(token = "") {
    this.token = token;
  }

  get(path, query = {}) {
    return this.ask("GET", path, { query });
  }

  // Sends something once, however often it has to be said: all tries have one key.
  send(method, path, body, query = {}) {
    return this.ask(method, path, { body, query, key: newKey() });
  }

  async ask(method, path, { query = {}, body, key, headers: more = {} } = {}) {
    const headers = { Accept: "application/json", ...this.authorization(), ...more };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-cache" };
    const response = await patiently(addressOf(path, query), request);
    const answer = response.status === 204 ? {} : await response.json().catch(() => ({}));
    if (!response.ok) throw new Problem(response.status, answer);
    return answer;
  }

  // Asks for something long, in a form of its own: its bytes as they come.
  async open(path, form) {
    const response = await patiently(path, { headers: { Accept: form, ...this.authorization() }, cache: "no-cache" });
    if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
    return chunksOf(response.body.getReader());
  }

  authorization() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }
}

export function addressOf(path, query) {
  const named = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return named.length ? `${path}?${new URLSearchParams(named)}` : path;
}

// Not every browser goes through a stream by itself.
async function* chunksOf(reader) {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

// The lines of a text that comes in chunks of bytes.
export async function* linesOf(chunks) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop();
    yield* lines;
  }
  if (text) yield text;
}

export const sleep = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

async function patiently(address, request) {
  for (const pause of [...PATIENCE, 0]) {
    try {
      const response = await fetch(address, request);
      const asked = Number(response.headers.get("Retry-After"));
      // Where the service says when, it is asked again then; a short while only, as somebody waits for it.
      if (response.status !== 503 || !pause || !(asked <= 5)) return response;
      await sleep(asked * 1000);
    } catch (error) {
      if (!pause) throw new Away(error.message);
      await sleep(pause);
    }
  }
  throw new Away(address);
}

// A key under which something is sent once. Where a page came over plain HTTP, a browser has no `randomUUID`.
export function newKey() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
