"""What a public record shows of fields, coins and the end: both verifiers hold it against what lay there before."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from events.rules.systems.registry import BY_KEY
from tests.replay.second_verifier.test_open_forgeries import another, findings_in, public_records
from tests.replay.verification.forging import Line
from tests.support.second_verifier import SecondVerifier

Data = dict[str, Any]
NOT_PLAYED_OUT = (
    "annulled",
    "awarded",
    "replaced",
    "drawn",
    "called_off",
    "abandoned",
    "never_begun",
    "untouched",
)


def of_system(system: str) -> Iterator[list[Line]]:
    """The public records of games of this system, the shortest first."""
    return (each for each in public_records() if each[1]["entry"]["data"]["system"] == system)


def other_card(record: list[Line], card: str) -> str:
    """The kind of bean that comes next in the catalogue."""
    cards = [bean["card"] for bean in record[0]["catalogue"]["beans"]]
    return str(cards[(cards.index(card) + 1) % len(cards)])


def in_member(member: str) -> Callable[[list[Line], int], bool]:
    """Change a member of the event, and of its command where that says the same; False where it is not there."""

    def change(record: list[Line], version: int) -> bool:
        data = record[version]["entry"]["data"]
        value = data.get(member)
        if value in (None, "", [], 0) and member not in {"coins", "seat"}:
            return False
        if member in {"card", "cards", "paid", "kept"}:
            cards = [value] if isinstance(value, str) else value
            changed = [*cards[:-1], other_card(record, cards[-1])]
            data[member] = changed[0] if isinstance(value, str) else changed
        else:
            data[member] = another(value)
        begun = max(place for place in range(1, version + 1) if "command" in record[place]["entry"])
        command = record[begun]["entry"]["command"]
        if command.get(member) == value:
            command[member] = data[member]
        return True

    return change


def without_default(member: str, value: Any) -> Callable[[list[Line], int], bool]:
    """Give a member that was left out a value that it can have."""

    def change(record: list[Line], version: int) -> bool:
        data = record[version]["entry"]["data"]
        if member in data:
            return False
        data[member] = value
        return True

    return change


def at_the_end(member: str) -> Callable[[list[Line], int], bool]:
    """Change the result of a game that was played out."""

    def change(record: list[Line], version: int) -> bool:
        data = record[version]["entry"]["data"]
        if data["reason"] in NOT_PLAYED_OUT:
            return False
        return {"scores": _more, "winners": _others, "reason": _no_reason, "unit": _no_unit}[member](data)

    return change


def _more(data: Data) -> bool:
    data["scores"][-1] += 1
    return True


def _others(data: Data) -> bool:
    data["winners"] = [(data["winners"][0] + 1) % len(data["scores"])]
    return True


def _no_reason(data: Data) -> bool:
    data["reason"] = "enough"
    return True


def _no_unit(data: Data) -> bool:
    data["unit"] = "beans"
    return True


def offering(**changed: Any) -> Callable[[list[Line], int], bool]:
    """Let an offer say something else, and its command with it; False where that would change nothing."""

    def change(record: list[Line], version: int) -> bool:
        entry = record[version]["entry"]
        data = entry["data"]
        found = {name: made(record, data) if callable(made) else made for name, made in changed.items()}
        if "command" not in entry or all(
            (data.get(name) or None) == (value or None) for name, value in found.items()
        ):
            return False
        data.update(found)
        said = entry["command"]
        said.update((name, value) for name, value in found.items() if name != "hand_cards" and name in _SAID)
        return True

    return change


_SAID = ("to", "revealed", "want", "want_revealed", "spare")


def _one_more(_record: list[Line], data: Data) -> list[str]:
    return [*data.get("hand_cards", []), *data.get("hand_cards", [])[-1:]]


def _unknown_want(_record: list[Line], data: Data) -> dict[str, int]:
    return {**data.get("want", {}), "gold": 1}


def _itself(_record: list[Line], data: Data) -> int:
    return int(data["seat"])


def _too_many(record: list[Line], _data: Data) -> dict[str, int]:
    bean = record[0]["catalogue"]["beans"][-1]
    return {bean.get("family", bean["card"]): 100}


def empty_offer(record: list[Line], version: int) -> bool:
    """Let an offer neither give nor want anything."""
    entry = record[version]["entry"]
    given = ("hand", "hand_cards", "revealed", "want", "want_revealed")
    for part in (entry["data"], entry.get("command", {})):
        for name in given:
            part.pop(name, None)
    return "command" in entry


FORGED: dict[str, tuple[str, Callable[[list[Line], int], bool], str]] = {
    "another score": ("game_ended", at_the_end("scores"), "scores"),
    "another winner": ("game_ended", at_the_end("winners"), "scores"),
    "another reason": ("game_ended", at_the_end("reason"), "fold"),
    "another unit": ("game_ended", at_the_end("unit"), "scores"),
    "more coins for a harvest": ("field_harvested", in_member("coins"), "scores"),
    "a better bean in a harvest": ("field_harvested", in_member("cards"), "scores"),
    "a last harvest in mid-game": ("field_harvested", without_default("final", value=True), "fold"),
    "coins from elsewhere": ("field_paid_from_piles", in_member("from_discard_pile"), "scores"),
    "cards kept as coins besides": ("field_paid_from_piles", without_default("from_field", 1), "scores"),
    "other coins for a third field": ("third_field_bought", in_member("paid"), "scores"),
    "coins that leave the game, or do not": (
        "third_field_bought",
        lambda record, version: (
            in_member("boxed")(record, version) or without_default("boxed", value=True)(record, version)
        ),
        "scores",
    ),
    "a bonus card that another seat holds": ("bonus_claimed", in_member("bonus"), "cards"),
    "a levied coin": ("coins_levied", in_member("coins"), "scores"),
    "another field that is rotated": ("field_rotated", in_member("card"), "fold"),
    "a planted card that lay elsewhere": ("aside_planted", in_member("card"), "fold"),
    "a revealed card that is another one": ("revealed_planted", in_member("card"), "fold"),
    "cards that were not left": ("trading_ended", in_member("kept"), "fold"),
    "a trade of nothing that was offered": ("trade_made", in_member("offer"), "fold"),
    "a turn that is another seat's": ("turn_began", in_member("seat"), "fold"),
    "a turn too many": ("turn_began", in_member("turn"), "fold"),
    "a seat that does not begin": ("starting_seat_chosen", in_member("seat"), "fold"),
    "a pile that ran out twice": ("pile_exhausted", in_member("times"), "fold"),
    "more fields": ("game_started", in_member("fields"), "fold"),
    "a fan of other cards": ("hand_swapped", in_member("cards"), "fold"),
    "a gift that nobody offered": ("gift_accepted", in_member("variety"), "fold"),
    "a miss that is none": ("miss_moved", in_member("miss"), "fold"),
    "an offer to oneself": ("offer_made", offering(to=_itself), "fold"),
    "more cards offered than named": ("offer_made", offering(hand_cards=_one_more), "fold"),
    "an offer for what the game has not": ("offer_made", offering(want=_unknown_want), "fold"),
    "an offer for more than there is": ("offer_made", offering(want=_too_many), "fold"),
    "an offer of revealed cards that are gone": ("offer_made", offering(revealed=[99]), "fold"),
    "an offer for revealed cards that are gone": ("offer_made", offering(want_revealed=[99]), "fold"),
    "an offer of nothing for nothing": ("offer_made", empty_offer, "fold"),
    "an offer with a promise that binds nobody": ("offer_made", offering(spare=True), "fold"),
}
"""For each forgery the event that is changed, how, and the check that finds it there."""
TRADING = {"classic", "extended", "ladybohn", "ladybohn-expansion"}
FOR_SALE = TRADING | {"bean-duel"}
ONLY: dict[str, set[str]] = {
    "coins from elsewhere": {"ladybohn"},
    "cards kept as coins besides": {"ladybohn"},
    "other coins for a third field": FOR_SALE,
    "coins that leave the game, or do not": FOR_SALE,
    "a bonus card that another seat holds": {"the-duel"},
    "a levied coin": {"ladybohn-expansion"},
    "another field that is rotated": {"ladybohn-expansion"},
    "a planted card that lay elsewhere": TRADING | {"the-duel"},
    "a revealed card that is another one": {"bean-duel", "the-duel"},
    "cards that were not left": TRADING,
    "a trade of nothing that was offered": TRADING,
    "a fan of other cards": {"ladybohn-expansion"},
    "a miss that is none": {"ladybohn"},
    "a gift that nobody offered": {"the-duel"},
    "an offer to oneself": TRADING,
    "more cards offered than named": TRADING,
    "an offer for what the game has not": TRADING,
    "an offer for more than there is": TRADING,
    "an offer of revealed cards that are gone": TRADING,
    "an offer for revealed cards that are gone": TRADING,
    "an offer of nothing for nothing": TRADING,
    "an offer with a promise that binds nobody": TRADING - {"ladybohn-expansion"},
}
"""The systems in which a forgery can be tried; the others can in all."""


def first_forged(system: str, what: str) -> tuple[list[Line], int]:
    """The shortest record of a game of this system in which this can be forged, forged, and the version changed."""
    event, change, _ = FORGED[what]
    for record in of_system(system):
        for version, line in enumerate(record):
            if line.get("entry", {}).get("type") == event:
                forged = deepcopy(record)
                if change(forged, version):
                    return forged, version
    raise AssertionError(f"no recorded game of {system} has a place for {what}")


@pytest.mark.parametrize(
    ("system", "what"), [(system, what) for what in FORGED for system in sorted(ONLY.get(what, BY_KEY))]
)
def test_what_lies_open_and_cannot_be_is_found(
    second_verifier: SecondVerifier, system: str, what: str
) -> None:
    """By both, at the entry that was changed, with the same check."""
    forged, version = first_forged(system, what)

    assert findings_in(second_verifier, forged) == [(FORGED[what][2], version)] * 2


@pytest.mark.parametrize(
    "changed",
    [
        {"want": {"blue": "2"}},
        {"want": {"blue": 1.5}},
        {"want": None},
        {"hand_cards": 5},
        {"revealed": None},
        {"counters": "1"},
        {"counters": 0},
        {"to": "1"},
        {"spare": 1},
    ],
    ids=str,
)
def test_an_offer_of_another_shape_is_refused(second_verifier: SecondVerifier, changed: Data) -> None:
    """By both, whatever the check is called: nothing that a language would take for a number or a list slips in."""
    genuine, version = next(
        (record, version)
        for record in of_system("classic")
        for version, line in enumerate(record)
        if "command" in line.get("entry", {}) and line["entry"]["type"] == "offer_made"
    )
    forged = deepcopy(genuine)
    forged[version]["entry"]["data"].update(changed)
    said = forged[version]["entry"]["command"]
    said.update((name, value) for name, value in changed.items() if name in _SAID)

    assert len(findings_in(second_verifier, forged)) == 2
