// How a game goes, in a few sentences for somebody new to it.

import { element } from "../table/elements.js";
import { words } from "./words.js";

// The sentences of each rule system, in the order in which one needs them.
const SENTENCES = {
  "classic": ["hand", "turn", "trade", "field", "harvest", "third", "any_time", "end"],
  "extended": ["hand", "turn_of_many", "trade", "field", "harvest", "third_of_many", "any_time", "end_of_many"],
  "bean-duel": ["hand", "turn_of_two", "field", "harvest", "own_turn", "third", "end_of_two"],
  "ladybohn": ["hand", "turn", "trade", "secret_sex", "field", "family", "baby", "harvest", "harvest_any_time", "third_of_few", "end"],
  "ladybohn-expansion": ["hand", "turn_of_expansion", "trade", "fans", "field", "lady", "harvest", "rotate", "make_up", "third_of_quota", "any_time", "end"],
  "the-duel": ["hand", "turn_of_gifts", "gift", "rising", "whole_field", "harvest_any_time", "bonus", "end_of_gifts"],
};

// They unfold where somebody asks for them; nothing for a system that only this service has.
export function rulesOf(system) {
  const sentences = SENTENCES[system];
  if (!sentences) return null;
  return element("details", { id: "how" }, element("summary", { text: words["how.summary"] }),
    element("ol", {}, ...sentences.map((each) => element("li", { text: words[`how.${each}`] }))));
}
