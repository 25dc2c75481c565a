// What went wrong, in a sentence that helps, and a way on.

import { Away, Problem } from "../common/api.js";
import { say, words } from "../common/words.js";
import { byId, element } from "../table/elements.js";

// Shows why there is nothing to see: an error, or how the service refused.
export function showTrouble(trouble) {
  const code = trouble instanceof Away ? "away" : trouble.code ?? trouble.body?.code;
  const known = words[`trouble_${code}`] === undefined ? undefined : say(`trouble_${code}`);
  const detail = known ?? trouble.body?.detail ?? say("trouble_other");
  const banner = byId("broken");
  banner.replaceChildren(
    element("span", { text: detail }), " ",
    element("a", { href: location.href.split("#")[0], text: say("load_again") }), " ",
    element("a", { href: "/", text: say("to_lobby") }),
  );
  banner.hidden = false;
  if (!(trouble instanceof Problem || trouble instanceof Away || trouble.body)) throw trouble;
}
