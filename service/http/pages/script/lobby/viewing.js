// The viewer in place of the lobby, with a record that no game of this service stands behind.

import { say } from "../common/words.js";
import { byId, element } from "../table/elements.js";
import { leaveLobby } from "./leaving.js";

export async function showViewer(written) {
  const viewer = byId("viewer").content.cloneNode(true);
  // Going back leads to the lobby, which is begun anew.
  history.pushState(null, "", `${location.pathname}${location.search}`);
  window.addEventListener("popstate", () => location.reload());
  leaveLobby();
  document.body.className = "";
  document.body.replaceChildren(viewer);
  const title = document.querySelector("h1");
  title.textContent = say("record_opened");
  title.after(element("a", { class: "quiet", href: `/${location.search}`, text: say("back_to_lobby") }));
  // Only now: its modules look for their places in the page as soon as they are there.
  const { beginViewer } = await import("../table/viewer.js");
  beginViewer(written);
  title.tabIndex = -1;
  title.focus();
}
