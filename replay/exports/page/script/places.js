// Places of the table by their names, such as `hand:0:3`.

// The elements of a place; where its card is not shown, those of the hand or seat that it belongs to.
export function elementsAt(place) {
  const parts = place.split(":");
  for (let length = parts.length; length > 1; length -= 1) {
    const wanted = parts.slice(0, length).join(":");
    const found = [...document.querySelectorAll("[data-place]")].filter((each) => each.dataset.place === wanted);
    if (found.length) return found;
  }
  return [];
}
