// Children by their keys: what stays the same stays the very element, so that focus and what is written stay with it.

const signs = new WeakMap();

// Shows these items, each `{ key, sign, make }`, in their order. An element is made anew only where its sign is another.
export function keep(parent, items) {
  const before = new Map([...parent.children].map((each) => [each.dataset.key, each]));
  const wanted = items.filter(Boolean).map(({ key, sign, make }) => {
    const old = before.get(key);
    const written = JSON.stringify(sign);
    if (old && signs.get(old) === written) return old;
    const made = make();
    made.dataset.key = key;
    signs.set(made, written);
    return made;
  });
  const staying = new Set(wanted);
  for (const each of [...parent.children]) if (!staying.has(each)) each.remove();
  // Moving an element takes the focus from it: only what is new is put between what stays.
  wanted.forEach((each, place) => {
    if (parent.children[place] !== each) parent.insertBefore(each, parent.children[place] ?? null);
  });
}
