// What can be played here, and whether tables are set up without a key.

import { sleep } from "../client/patience.js";
import { serviceAs } from "../common/service.js";

const PAUSE = 5_000; // milliseconds before asking again
const followers = [];
let titles = new Map();

export const titleOf = (system) => titles.get(system) ?? system;

// Calls with the answer of `GET /v1/systems` as soon as it is there.
export function whenKnown(follower) {
  followers.push(follower);
}

export async function beginSystems() {
  const api = serviceAs();
  for (;;) {
    try {
      const answer = await api.get("/v1/systems");
      titles = new Map(answer.systems.map(({ system, title }) => [system, title]));
      for (const follower of followers) follower(answer);
      return;
    } catch {
      // The lists say that the service is away.
      await sleep(PAUSE);
    }
  }
}
