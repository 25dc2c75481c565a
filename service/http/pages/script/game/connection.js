// Whether what one sees is what happens, or what was before the connection was lost.

import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";

// Shows that there is a connection, that there is none, or, with `undefined`, that none is needed any more.
export function showConnection(isConnected) {
  const sign = byId("connection") ?? byId("summary").insertAdjacentElement("afterend", element("p", { id: "connection", role: "status" }));
  sign.hidden = isConnected === undefined;
  if (sign.hidden) return;
  sign.className = isConnected ? "is-connected" : "is-lost";
  sign.textContent = say(isConnected ? "connected" : "reconnecting");
}
