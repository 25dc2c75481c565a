// What is open follows what happens, as long as somebody sees it and anything may change.

import { lookAgain } from "../common/following.js";
import { data } from "../table/record.js";
import { sayItEnds } from "./panel.js";
import { extendTable } from "./table.js";

const PAUSE = 5_000; // milliseconds between two looks
const SHARE = 10; // a table is read for a tenth of the time at most
const FOR_GOOD = [401, 403, 404]; // statuses that another look does not change
const nothing = () => undefined;
let current; // what is followed: its `end`, and how to `goOn` where that was too early

// Follows nothing any more. What it answers goes on, unless something else is followed by then or nothing was followed.
export function stopFollowing() {
  const stopped = current;
  const wasFollowed = stopped && !stopped.end.signal.aborted;
  stopped?.end.abort();
  current = undefined;
  return wasFollowed ? stopped.goOn : nothing;
}

// Follows a game in the place of what was followed before, while it is wanted. `look` looks at the case, while what it is
// given says that it is followed, and answers what to do about its news; `drawAgain` draws what the table has changed,
// `mayChange` says whether anything besides the table may. `told` hears why nothing is known: `true` where the service is
// away, `false` where it is there again, or its refusal, with which it ends.
export function followOpen(given) {
  const { api, game, isWanted, told, drawAgain, look = nothing, mayChange = nothing, goesAlong = false } = given;
  stopFollowing();
  const end = new AbortController();
  const mine = (current = { end, goOn: () => current ?? followOpen(given) });
  const isFollowed = () => !end.signal.aborted && isWanted();
  let known = data.version; // that was read last: where a game is shown with a delay it is another one

  // Answers how long to pause.
  async function followTable() {
    if (data.status === "finished") return undefined;
    const { version } = await api.get(`/v1/games/${game}`);
    if (version === known || !isFollowed()) return undefined;
    const before = performance.now();
    await extendTable(api, game, { isWanted: isFollowed, goesAlong });
    if (!isFollowed()) return undefined;
    known = version;
    drawAgain();
    return Math.max(PAUSE, SHARE * (performance.now() - before));
  }

  // A case tells of moments of its game, so the table comes first; where that can't be read the case does not wait for it.
  async function lookAtBoth() {
    const news = await look(isFollowed);
    try {
      return await followTable();
    } finally {
      if (isFollowed()) news?.();
    }
  }

  async function lookOnce() {
    if (!isFollowed()) return undefined;
    try {
      const pause = await lookAtBoth();
      if (data.status === "finished" && !mayChange()) end.abort();
      return pause;
    } catch (problem) {
      if (!FOR_GOOD.includes(problem.status)) throw problem;
      end.abort();
      tell(problem);
      if (isTold()) sayItEnds();
      return undefined;
    }
  }

  const isTold = () => current === mine && isWanted();
  const tell = (what) => { if (isTold()) told(what); };
  setTimeout(() => lookAgain(lookOnce, tell, end.signal), PAUSE);
}
