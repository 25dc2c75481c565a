// Plots as SVG, drawn element by element. A line is told by its colour, its dashes and the number at its end; the figures
// stand in a table beside it.

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 400;
const LEFT = 30;
const RIGHT = 22;
const TOP = 8;
const BOTTOM = 20;

export function drawn(name, properties = {}, ...children) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(properties)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Lines that go on in steps from point to point ([x, y], in rising order) up to `last`. `pressed` gets the x of a click.
export function stepPlot({ label, lines, first, last, pressed }) {
  const height = 180;
  const most = Math.max(1, ...lines.flatMap((line) => line.map(([, value]) => value)));
  const x = (value) => LEFT + ((value - first) / Math.max(1, last - first)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => height - BOTTOM - (value / most) * (height - TOP - BOTTOM);
  const cursor = drawn("line", { class: "cursor", y1: TOP, y2: height - BOTTOM });
  const paths = lines.flatMap((line, place) => {
    const [start, ...rest] = line.length ? line : [[first, 0]];
    const path = rest.map(([at, value]) => `H${x(at)}V${y(value)}`).join("");
    const end = line.at(-1)?.[1] ?? 0;
    return [drawn("path", { class: `series series-${place}`, d: `M${x(start[0])} ${y(start[1])}${path}H${x(last)}` }),
      text(String(place), x(last) + 4 + (place % 2) * 8, y(end) + 4, `series-name series-${place}`)];
  });
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label, class: "plot" },
    ...ticks(most).flatMap((value) => [
      drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      text(String(value), LEFT - 5, y(value) + 4, "axis end")]),
    text(String(first), LEFT, height - 5, "axis"), text(String(last), WIDTH - RIGHT, height - 5, "axis end"),
    ...paths, cursor);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    pressed(Math.round(first + ((at - LEFT) / (WIDTH - LEFT - RIGHT)) * (last - first)));
  });
  return { svg, stand: (at) => { for (const end of ["x1", "x2"]) cursor.setAttribute(end, x(at)); } };
}

// A bar for each seat, to the right of nought and, for what is less than that, to the left.
export function barPlot({ label, values, shown }) {
  const row = 26;
  const height = values.length * row + 4;
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values, least === 0 ? 1 : 0);
  const begin = LEFT + (least < 0 ? 50 : 0);
  const room = WIDTH - begin - 55;
  const x = (value) => begin + ((value - least) / (most - least)) * room;
  return drawn("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label, class: "plot" },
    ...values.flatMap((value, place) => {
      const from = Math.min(x(value), x(0));
      const width = Math.max(1, Math.abs(x(value) - x(0)));
      const end = value < 0 ? "bar-text end" : "bar-text";
      return [text(String(place), LEFT - 12, place * row + 18, `series-name series-${place}`),
        drawn("rect", { class: `bar series-${place}`, x: from, y: place * row + 5, width, height: row - 9, rx: 3 }),
        text(shown(value), value < 0 ? from - 5 : from + width + 5, place * row + 18, end)];
    }),
    drawn("line", { class: "nought", x1: x(0), x2: x(0), y1: 0, y2: height }));
}

// How the line of a seat looks, for a legend.
export const sample = (seat) => drawn("svg", { viewBox: "0 0 30 8", class: "plot sample", "aria-hidden": "true" },
  drawn("path", { class: `series series-${seat}`, d: "M0 4H30" }));

function text(content, x, y, kind) {
  const made = drawn("text", { x, y, class: kind });
  made.textContent = content;
  return made;
}

// At most five round numbers from 0 to the highest.
function ticks(most) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => most / each <= 5) ?? most;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}
