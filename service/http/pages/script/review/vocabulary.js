// The codes of glyphs with their signs (docs/annotation-format.md), and the places that can be marked.

export const MOVES = { brilliant: "!!", good: "!", interesting: "!?", dubious: "?!", mistake: "?", blunder: "??" };
export const POSITIONS = { even: "=", unclear: "∞", slightly_better: "⩲", better: "±", winning: "++" };
export const OF_SEATS = ["slightly_better", "better", "winning"];
export const OBSERVATIONS = {
  only_move: "□", forced: "▣", new_idea: "N", with_the_idea: "∆", time_trouble: "⊕", luck: "☘", bad_luck: "☂", good_deal: "⇄",
  gift: "◇", missed_deal: "⊘", missed_harvest: "⌛", counting: "#", table_talk: "“”", rules_question: "§",
};
export const COLOURS = ["green", "red", "yellow", "blue"];
const PLACE = /^(seat:[0-9]|field:[0-9]:[0-9]|(hand|aside):[0-9]:[0-9]{1,4}|revealed:[0-9]{1,4}|fan:[0-9]|pile:(draw|discard|bonus))$/;

export const isPlace = (name) => PLACE.test(name);
