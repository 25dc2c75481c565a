// A part of a page that is drawn anew when what it shows has changed, and only then: who reads on is not disturbed.

const shownIn = new WeakMap();

// Draws what is shown into a place. Who has a link or a button there in focus finds themselves on the same one.
export function redraw(place, shown, draw) {
  const written = JSON.stringify(shown);
  if (shownIn.get(place) === written) return;
  shownIn.set(place, written);
  const focused = place.contains(document.activeElement) ? nameOf(document.activeElement) : undefined;
  place.replaceChildren(...draw(shown));
  if (focused === undefined) return;
  for (const each of place.querySelectorAll("a, button, summary")) {
    if (nameOf(each) === focused) return each.focus();
  }
}

const nameOf = (control) => control.id || control.getAttribute("href") || control.textContent;
