// The way back to now, for whoever looks at the past of a game that goes on.

import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { followers, go, place } from "../table/place.js";
import { last } from "../table/record.js";
import { frameFollowers } from "./live.js";

export function beginNow() {
  const button = element("button", { type: "button", id: "to-now", class: "main", hidden: true });
  button.addEventListener("click", () => go({ version: last, follows: true }));
  byId("status").insertAdjacentElement("beforebegin", button);
  followers.push(showWay);
  frameFollowers.push(showWay);
}

function showWay() {
  byId("to-now").hidden = place.version === last;
  byId("to-now").textContent = say("to_now", { count: last - place.version });
}
