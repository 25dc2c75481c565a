// A game's events as they happen: a stream that comes back by itself, without a gap and without telling anything twice.

import { addressOf, sleep } from "./api.js";

const LONGEST_PAUSE = 15_000; // milliseconds between two tries
const SILENCE = 45_000; // milliseconds after which a silent connection is taken for a dead one: the service says more often that it is there

// Follows a game from behind a cursor until `signal` ends it. `tell` gets each frame: its `event`, `id` and `data`;
// `connected` whether there is a connection. Ends by itself where the service says that it will never answer.
export async function followEvents({ api, game, after, query, tell, connected, refused, signal }) {
  let cursor = after;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      const address = addressOf(`/v1/games/${game}/events`, { ...query, after: cursor });
      const frames = await open(address, api, signal);
      if (frames.refused && frames.status < 500 && frames.status !== 429) return refused(frames);
      if (!frames.refused) {
        connected(true);
        for await (const frame of frames.read()) {
          failures = 0;
          if (frame.id) cursor = frame.id;
          tell(frame);
        }
      }
    } catch (error) {
      if (signal.aborted) return undefined;
    }
    connected(false);
    await sleep(Math.min(LONGEST_PAUSE, 500 * 2 ** Math.min(failures, 5)) * (0.75 + Math.random() / 2));
  }
  return undefined;
}

async function open(address, api, signal) {
  const headers = { Accept: "text/event-stream", ...api.authorization() };
  const silence = new AbortController();
  const response = await fetch(address, { headers, cache: "no-store", signal: AbortSignal.any([signal, silence.signal]) });
  if (!response.ok) return { refused: true, status: response.status, body: await response.json().catch(() => ({})) };
  return { read: () => readFrames(response.body.pipeThrough(new TextDecoderStream()).getReader(), silence) };
}

async function* readFrames(reader, silence) {
  let text = "";
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE);
    const { value, done } = await reader.read();
    clearTimeout(timer);
    if (done) return;
    const blocks = (text + value).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const frame = frameOf(block);
      if (frame.data !== undefined) yield frame;
    }
  }
}

// One frame (HTML Living Standard, 9.2.6), whose data is JSON.
function frameOf(block) {
  const frame = { event: "message" };
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === "data") data.push(value);
    else if (name === "event" || name === "id") frame[name] = value;
  }
  if (data.length) frame.data = JSON.parse(data.join("\n"));
  return frame;
}
