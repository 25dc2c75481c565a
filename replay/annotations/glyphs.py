"""The vocabulary of annotators: short stable codes, each with its sign and what it says.

The signs of moves are those of chess books. Positions are about more than two sides, so whoever stands better is
named beside the glyph. Observations are what one says about a card game. A reader keeps codes that it does not know.
"""

from typing import Final, NamedTuple


class Glyph(NamedTuple):
    """One word of the vocabulary."""

    sign: str
    meaning: str


MOVES: Final = {
    "brilliant": Glyph("!!", "a brilliant move"),
    "good": Glyph("!", "a good move"),
    "interesting": Glyph("!?", "an interesting move"),
    "dubious": Glyph("?!", "a dubious move"),
    "mistake": Glyph("?", "a mistake"),
    "blunder": Glyph("??", "a blunder"),
}
"""What can be said of a move; a note has one of them at most."""

POSITIONS: Final = {
    "even": Glyph("=", "nobody stands better"),
    "unclear": Glyph("∞", "unclear who stands better"),
    "slightly_better": Glyph("⩲", "stands slightly better"),
    "better": Glyph("±", "stands better"),
    "winning": Glyph("++", "is winning"),
}
"""What can be said of a position; a note has one of them at most."""

OF_SEATS: Final = frozenset({"slightly_better", "better", "winning"})
"""The positions that name seats."""

OBSERVATIONS: Final = {
    "only_move": Glyph("□", "the only move that was not bad"),
    "forced": Glyph("▣", "the rules left no choice"),
    "new_idea": Glyph("N", "not seen before"),
    "with_the_idea": Glyph("∆", "part of a plan, which the comment names"),
    "time_trouble": Glyph("⊕", "short of time"),
    "luck": Glyph("☘", "the cards were kind"),
    "bad_luck": Glyph("☂", "the cards were unkind"),
    "good_deal": Glyph("⇄", "a deal that served both"),
    "gift": Glyph("◇", "something given for nothing, or nearly so"),
    "missed_deal": Glyph("⊘", "a deal that was there to be made"),
    "missed_harvest": Glyph("⌛", "harvested too late, or too early"),
    "counting": Glyph("#", "follows from counting cards"),
    "table_talk": Glyph("“”", "decided by what was said"),
    "rules_question": Glyph("§", "a question to an arbiter"),
}
"""What else can be observed; a note has as many of them as it likes."""
