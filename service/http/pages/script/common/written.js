// Figures, moments and lengths of time as people write them in their language.

import { language } from "./words.js";

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
const moments = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const lists = new Intl.ListFormat(language, { type: "unit", style: "short" });

// A moment in the reader's own time.
export const moment = (milliseconds) => moments.format(new Date(milliseconds));

// A month that is named like 2026-11, which is one by UTC.
export function month(named) {
  return new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${named}-01`));
}

export function figure(number, digits, sign = "auto") {
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: sign };
  return new Intl.NumberFormat(language, form).format(number);
}

// A length of time in the largest units that make it up: 1 hour, 30 minutes.
export function lasting(seconds) {
  const parts = [];
  let left = seconds;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count) parts.push(new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count));
  }
  return lists.format(parts);
}
