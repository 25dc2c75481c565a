// What is open follows what happens, as long as somebody sees it and anything may change.

import { lookAgain } from "../common/following.js";
import { mayPass } from "../common/service.js";
import { data } from "../table/record.js";
import { extendTable } from "./table.js";

const PAUSE = 5_000; // milliseconds between two looks
const SHARE = 10; // a table is read for a tenth of the time at most
const nothing = () => undefined;
let current = new AbortController();

export function stopFollowing() {
  current.abort();
}

// Follows a game in the place of what was followed before, while it is wanted. `look` looks at the case, `drawAgain` draws
// what the table has changed, `mayChange` says whether anything besides the table may. `told` hears why nothing is known:
// `true` where the service is away, `false` where it is there again, or its refusal, with which it ends.
export function followOpen({ api, game, isWanted, told, drawAgain, look = nothing, mayChange = nothing, goesAlong = false }) {
  stopFollowing();
  const end = (current = new AbortController());
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

  async function lookOnce() {
    if (!isFollowed()) return undefined;
    try {
      await look();
      const pause = await followTable();
      if (data.status === "finished" && !mayChange()) end.abort();
      return pause;
    } catch (problem) {
      if (!problem.code || mayPass(problem)) throw problem;
      end.abort();
      tell(problem);
      return undefined;
    }
  }

  const tell = (what) => { if (current === end && isWanted()) told(what); };
  setTimeout(() => lookAgain(lookOnce, tell, end.signal), PAUSE);
}
