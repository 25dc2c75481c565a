// Putting it together: everything that follows the reader, and where one begins.

function drawSentence() {
  if (!place.version) return;
  const actor = actorAt(place.version);
  const who = actor.startsWith("seat:") ? tableAt(last, "open").get(`${actor.slice(5)}.who`) ?? actor : labels[actor] ?? actor;
  const sentence = sentenceAt(place.version, place.perspective);
  // Two lines at most: what is longer stands whole in the log.
  byId("sentence").replaceChildren(element("span", { text: sentence, title: sentence }));
  byId("moment").replaceChildren(element("span", { text: momentText(moments[place.version - 1]) }), element("bdi", { text: who }));
}

function drawPerspective() {
  byId("perspective").value = place.perspective;
}

function searchAgain({ turned }) {
  if (turned) find(byId("sought").value);
}

followers.push(drawTable, searchAgain, drawLog, () => drawNotes(place.version), drawSentence, drawScrubber, drawFound, drawPerspective);

byId("perspective").append(...data.perspectives.map((each) => element("option", { value: each.key, text: perspectiveName(each) })));
byId("perspective").disabled = perspectives.length < 2;
byId("perspective").addEventListener("change", (event) => go({ perspective: event.target.value }));
byId("help-open").addEventListener("click", () => act("help"));
byId("notes").hidden = !annotated.length;
window.addEventListener("hashchange", () => go(placeInAddress()));

drawHelp();
drawAbout();
drawTicks();
// A game's table is empty before its first turn, so one begins there.
place.version = starts.turn[0] ?? 1;
go({ ...placeInAddress(), anew: true });
