// How long somebody still has: counted down to the deadlines of the log, by the service's clock.

import { say } from "../common/words.js";
import { element } from "../table/elements.js";
import { keep } from "./kept.js";
import { now, seatName } from "./now.js";

const FIFTH = 0.2;
const TICK = 500; // milliseconds
const AGAIN = 60_000; // milliseconds between two requests for the service's time
const SOON = 2_000; // the same after this machine's clock was set, or after the machine slept
const APART = 1_000; // milliseconds: a smaller difference is ignored, because a Date header has whole seconds
let measured; // the service's time at a moment of the page's monotonic timer, and how far apart this machine's clock and that timer were
let tried = -AGAIN; // when the last request was sent
let clock; // as the service told it last
let spoken = "";

// The service's time. Before its first answer this machine's clock counts.
export const serviceNow = () => (measured ? measured.service + performance.now() - measured.at : Date.now());

const apart = () => Date.now() - performance.now();

// Requests the time of the service: the Date header of any answer has it, to the second.
export async function askTheTime() {
  const asked = (tried = performance.now());
  const response = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  const told = Date.parse(response?.headers.get("Date") ?? "");
  if (!Number.isFinite(told)) return;
  const at = performance.now();
  const service = told + 500 + (at - asked) / 2;
  const isOther = !measured || Math.abs(service - serviceNow()) > APART;
  measured = { ...(isOther ? { service, at } : measured), apart: apart() };
}

// Requests the time again every minute, and soon after this machine's clock and the page's timer drift apart.
function keepTime() {
  const isSet = measured && Math.abs(apart() - measured.apart) > APART;
  if (Math.abs(performance.now() - tried) > (isSet ? SOON : AGAIN)) askTheTime();
}

export function takeClock(told) {
  clock = told;
}

export function beginClocks(place, announcement) {
  setInterval(() => {
    if (clock) keepTime();
    drawClocks(place, announcement);
  }, TICK);
}

export function drawClocks(place, announcement) {
  const waits = now.scene?.status === "running" ? clock?.waits ?? [] : [];
  place.hidden = !waits.length;
  keep(place, waits.map(({ seat, kind, offer, deadline }) => ({ key: `${seat} ${offer ?? ""}`, sign: [kind, seatName(seat)], make: () => element("li", {},
    element("bdi", { text: seat === now.seat ? say("you") : seatName(seat) }), " ", element("b", { class: "time" }), " ",
    element("span", { class: "hurry", text: say("hurry") }), offer === undefined ? null : element("span", { class: "quiet", text: ` ${say("for_offer", { number: offer })}` })) })));
  waits.forEach((wait, row) => count(place.children[row], wait, announcement));
}

function count(row, { seat, since, deadline }, announcement) {
  const left = deadline - serviceNow();
  const isShort = left < (deadline - since) * FIFTH;
  row.classList.toggle("is-short", isShort);
  row.querySelector(".time").textContent = duration(left);
  if (seat !== now.seat || !isShort) return;
  // Read out once for each deadline, when it becomes short, and once when it is over.
  const threshold = `${deadline} ${left <= 0}`;
  if (threshold === spoken) return;
  spoken = threshold;
  announcement.textContent = left > 0 ? say("time_left", { time: duration(left) }) : say("time_is_over");
}

// Hours, minutes and seconds; days where there are such.
function duration(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const time = hours || days ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return days ? say("days_and", { count: days, time }) : time;
}
