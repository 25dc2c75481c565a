// Elements take the places of those before them. What looks the same stays the very element: with it the focus, and
// what a reader of the screen is reading.

// Gives an element these children. Those of a place of the table are matched by its name, others by their order.
export function settle(parent, wanted) {
  const before = [...parent.childNodes];
  const placed = new Map(before.filter(placeOf).map((each) => [placeOf(each), each]));
  const others = before.filter((each) => !placeOf(each));
  const settled = wanted.map((each) => {
    const old = placeOf(each) ? placed.get(placeOf(each)) : others.shift();
    return old && old.nodeName === each.nodeName ? alter(old, each) : each;
  });
  const staying = new Set(settled);
  for (const each of before) if (!staying.has(each)) each.remove();
  settled.forEach((each, order) => {
    if (parent.childNodes[order] !== each) parent.insertBefore(each, parent.childNodes[order] ?? null);
  });
}

const placeOf = (node) => node.dataset?.place;

// Makes an element look like another one.
function alter(old, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== made.nodeValue) old.nodeValue = made.nodeValue;
    return old;
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  settle(old, [...made.childNodes]);
  return old;
}
