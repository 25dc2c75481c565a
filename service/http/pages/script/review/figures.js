// The panel of figures: coins over time, time used, trades and their balance, and everything that the record counts.

import { language, say, words } from "../common/words.js";
import { element } from "../table/elements.js";
import { go, place } from "../table/place.js";
import { data, tableAt } from "../table/record.js";
import { addPanel } from "./panels.js";
import { barPlot, sample, stepPlot } from "./plots.js";

const section = element("section", { "aria-label": say("panel_figures"), class: "panel" });
const ROWS = [
  "score", "coins", "turns", "commands", "planted", "harvested", "harvests", "harvests_for_nothing", "offers", "offers_accepted",
  "offers_refused", "offers_withdrawn", "offers_lapsed", "declined", "gifts_given", "gifts_received", "promises", "promises_kept", "levies",
];
let statistics;
let plot; // of the coins, drawn once

export function beginFigures({ history }) {
  statistics = history.statistics;
  addPanel("figures", section, drawFigures);
}

function drawFigures() {
  if (!section.childElementCount) {
    plot = coinPlot();
    section.replaceChildren(element("h2", { text: say("panel_figures") }), legend(), ...coins(), ...time(), ...trades(), ...others());
  }
  plot.stand(Math.min(place.version, statistics.version));
}

const seats = () => statistics.seats;
const nameOf = (seat) => tableAt(data.last, "open").get(`${seat}.who`) ?? seats()[seat].name;
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const decimal = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });

function legend() {
  return element("ul", { class: "legend" }, ...seats().map(({ seat }) => element("li", {},
    sample(seat), element("bdi", { text: `${seat}: ${nameOf(seat)}` }))));
}

function coinPlot() {
  const lines = seats().map(({ seat }) => statistics.coins.map(({ version, coins: each }) => [version, each[seat]]));
  return stepPlot({ label: say("figure_coins"), lines, first: 1, last: statistics.version, pressed: (version) => go({ version }) });
}

function coins() {
  const rows = statistics.coins.map(({ version, turn, coins: each }) => [jump(version), String(turn), ...each.map(String)]);
  return [heading("figure_coins"), element("p", { class: "quiet hint", text: say("figure_press") }), plot.svg,
    numbers("figure_coins", [say("figure_version"), data.labels.turn, ...seats().map(({ seat }) => nameOf(seat))], rows)];
}

function time() {
  const values = seats().map(({ milliseconds }) => milliseconds);
  const rows = seats().map((own) => [nameOf(own.seat), String(own.commands), duration(own.milliseconds), duration(own.commands ? own.milliseconds / own.commands : 0)]);
  return [heading("figure_time"), barPlot({ label: say("figure_time"), values, shown: duration }),
    numbers("figure_time", [say("figure_player"), words["statistics.commands"], words["statistics.time"], say("figure_each")], rows)];
}

function trades() {
  const balance = (own) => sum(own.trades.map((each) => each.value_received - each.value_given));
  const rows = seats().flatMap((own) => own.trades.map((each) => [
    nameOf(own.seat), nameOf(each.partner), String(each.trades), String(sum(Object.values(each.given))),
    String(sum(Object.values(each.received))), decimal.format(each.value_received - each.value_given)]));
  const heads = [say("figure_player"), say("figure_partner"), ...["trades", "given", "received", "balance"].map((key) => words[`statistics.${key}`])];
  return [heading("figure_balance"), element("p", { class: "quiet hint", text: say("figure_balance_what") }),
    barPlot({ label: say("figure_balance"), values: seats().map(balance), shown: (value) => decimal.format(value) }),
    numbers("figure_balance", heads, rows)];
}

function others() {
  const value = (own, key) => (typeof own[key] === "object" && own[key] ? sum(Object.values(own[key])) : own[key]);
  const rows = ROWS.filter((key) => seats().some((own) => value(own, key)))
    .map((key) => [words[`statistics.${key}`], ...seats().map((own) => String(value(own, key) ?? ""))]);
  return [heading("figure_all"), table("figure_all", [say("figure_what"), ...seats().map(({ seat }) => nameOf(seat))], rows)];
}

const heading = (key) => element("h3", { text: say(key) });

function numbers(key, heads, rows) {
  return element("details", {}, element("summary", { text: say("figure_numbers") }), table(key, heads, rows));
}

function table(key, heads, rows) {
  return element("div", { class: "scrolled", tabindex: 0, role: "group", "aria-label": say(key) }, element("table", {},
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col", text })))),
    element("tbody", {}, ...rows.map(([first, ...cells]) => element("tr", {}, element("th", { scope: "row" }, first),
      ...cells.map((text) => element("td", { text })))))));
}

function jump(version) {
  const made = element("button", { type: "button", class: "quiet-link", text: version });
  made.addEventListener("click", () => go({ version }));
  return made;
}

// Hours, minutes and seconds; of less than a minute also tenths.
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${tenths.format(seconds)}\u00a0s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return `${hours}:${two(minutes)}:${two(Math.floor(seconds) % 60)}`;
}
