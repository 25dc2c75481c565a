// Whether what one sees is what happens, or what was before the connection was lost.

import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";

export function showConnection(isConnected) {
  const sign = byId("connection") ?? byId("summary").insertAdjacentElement("afterend", element("p", { id: "connection", role: "status" }));
  sign.className = isConnected ? "is-connected" : "is-lost";
  sign.textContent = say(isConnected ? "connected" : "reconnecting");
}
