// Elements, made from names and texts. A text never becomes markup: it is always a text node.

export const byId = (id) => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") made.className = value;
    else if (key === "text") made.textContent = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A copy of an icon that the page has.
export function icon(name) {
  const svg = document.querySelector("button svg").cloneNode(true);
  svg.querySelector("use").setAttribute("href", `#icon-${name}`);
  svg.querySelector("use").removeAttribute("id");
  return svg;
}

// A label with its places filled: "{version} of {last}".
export function filled(label, values) {
  return label.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}

// A sentence with its long hashes cut short; a full stop behind one is its last point.
export const shortened = (sentence) => sentence.replace(/\b([0-9a-f]{8})[0-9a-f]{24,}\b\.?/g, "$1…");

export function clamped(number, least, most) {
  return Math.min(Math.max(number, least), most);
}
