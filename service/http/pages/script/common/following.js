// Looking again and again, as long as somebody sees the page; less often while the service is away.

import { Unreachable } from "../client/problems.js";

const PAUSE = 5_000; // milliseconds between two looks
const LONGEST_PAUSE = 60_000;

// Whether the service has refused it, or was not there: everything else is an error of this page's own.
const isOfService = (error) => Boolean(error.code) || error instanceof Unreachable;

// Asks for more of a list, for a button that can't be pressed meanwhile; `tell` hears whether the service is away.
export async function lookFurther(button, look, tell) {
  button.disabled = true;
  try {
    await look();
    tell(false);
  } catch (error) {
    if (!isOfService(error)) throw error;
    tell(true);
  } finally {
    button.disabled = false;
  }
}

// Looks now and from then on, and returns what looks at once. What `look` answers is how long to pause at least, where it
// is another time than usually; `tell` hears each time whether the service is away.
export function lookAgain(look, tell, signal) {
  let timer = 0;
  let failures = 0;
  let asking = false;
  let again = false;
  const now = async () => {
    clearTimeout(timer);
    again = asking;
    if (document.hidden || asking || signal.aborted) return;
    asking = true;
    let pause = PAUSE;
    try {
      pause = (await look()) ?? PAUSE;
      failures = 0;
      tell(false);
    } catch (error) {
      if (signal.aborted) return;
      if (!isOfService(error)) throw error;
      failures += 1;
      tell(true);
    } finally {
      asking = false;
      timer = setTimeout(now, again ? 0 : Math.max(pause, Math.min(pause * 2 ** failures, LONGEST_PAUSE)));
    }
  };
  document.addEventListener("visibilitychange", now, { signal });
  now();
  return now;
}
