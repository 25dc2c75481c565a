"""The words of a page in its language: what its buttons, headings and keys are called.

Some of them have a place for a number or a name, in braces, which the script fills.
"""

from typing import Final

from replay.commentary import Commentary

PAGE: Final = (
    *("table", "annotations", "about", "keys", "close", "no_script", "made_by"),
    *("perspective", "everything", "public", "version", "version_of", "go_to"),
    *("first", "last", "turn_back", "turn_on", "phase_back", "phase_on"),
    *("command_back", "command_on", "event_back", "event_on"),
    *("play", "pause", "tempo", "faster", "slower", "recorded"),
    *("search", "next_match", "match_before", "matches", "no_match"),
    *("note_on", "note_back", "nothing_said", "annotated", "reply", "edited", "marks", "tags", "branches"),
    *("next_perspective", "seat_keys", "help", "dealer", "host"),
    *("cards", "coins", "pays", "missing", "may_move", "waiting", "active", "exhausted", "on_top"),
    *("levies", "spares", "discarded", "front"),
)
"""Messages of the page's own."""
_LABELS: Final = (
    *("draw_pile", "next", "discard_pile", "out_of_play", "fan", "revealed", "bonus_pile", "gifts"),
    *("offers", "hand", "aside", "bonus", "claimed"),
)
_REPORT: Final = ("log", "won", "turn")


def labels(tell: Commentary) -> dict[str, str]:
    """Every word of the page by its name, with its places for numbers and names."""
    texts = tell.messages.texts
    found = {key: texts["page", key][0] for key in PAGE}
    found |= {key: texts["label", key][0].strip() for key in _LABELS}
    found |= {key: texts["report", key][0] for key in _REPORT}
    return found | {"empty": texts["table", "empty"][0]}
