// The service of this page, as one token asks it, or as everybody does.

import { Fieldbook } from "../client/fieldbook.js";
import { sleep } from "../client/patience.js";
import { Unreachable } from "../client/problems.js";

const PATIENCE = 7_500; // milliseconds before somebody who waits is told that nothing answers
export const PAUSE = 2_000; // milliseconds before it is asked again by itself, where it does not say when
const PASSING = [429, 502, 503, 504]; // statuses of who has too much to do, or is there again soon

export const serviceAs = (token = "") => new Fieldbook("", token, { patience: PATIENCE });

// Whether the same question may be answered soon.
export const mayPass = (error) => error instanceof Unreachable || PASSING.includes(error.status);

// What `ask` gives, however long the service is away or busy; `tell` hears each time what keeps it. Where `isWanted` says
// that nobody waits any more, what keeps it is thrown.
export async function askUntilAnswered(ask, tell, isWanted = () => true) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error) || !isWanted()) throw error;
      tell(error);
      await sleep(error.retryAfter ?? PAUSE);
    }
  }
}
