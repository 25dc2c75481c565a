"""Records that were changed and sealed again: both verifiers, as commands on a file, find what contradicts itself.

Source: docs/record-format.md, "What a verifier checks": what a later event of a step repeats of an open command or
event, or what follows from the table, is the same wherever both lie open. Each forgery is one row of the table; the
forger has linked the whole record again.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.both_verifiers import verify_with_both
from tests.support.record_files import Change, Line, entries, narrowed, recorded, sealed, write

EVERY_SCOPE = ("all", "public", "seat:0", "seat:1")
REPLACED = "ladybohn/ended-replaced"
AWARDED = "the-duel/ended-awarded"
ANNULLED = "classic/ended-annulled"
DISPUTED = "bean-duel/disputed"
LEFT = "classic/left"
CLOCKED = "classic/clocked"
LAST_RESUMED = 295
"""The version at which the game in each of the disputed records goes on after its last pause."""


class Forgery(NamedTuple):
    """A change to a recorded game."""

    record: str
    change: Change
    scopes: tuple[str, ...] = ("public",)


def with_data(event_type: str, place: int = 0, **changed: Any) -> Change:
    """Give members of an event other values; None leaves one out."""

    def change(lines: list[Line]) -> None:
        data = entries(lines, event_type)[place]["data"]
        before = deepcopy(data)
        data.update(changed)
        for name in [name for name, value in changed.items() if value is None]:
            del data[name]
        assert data != before

    return change


def where(event_type: str, is_meant: Callable[[Line], bool], **changed: Any) -> Change:
    """Do the same to the first event of a type whose entry is meant."""

    def change(lines: list[Line]) -> None:
        place = next(place for place, entry in enumerate(entries(lines, event_type)) if is_meant(entry))
        with_data(event_type, place, **changed)(lines)

    return change


def in_both(command: str, event_type: str, **changed: Any) -> Change:
    """Give members of a command and of its event the same other values."""

    def change(lines: list[Line]) -> None:
        for line in lines[1:-1]:
            if line["entry"].get("command", {}).get("type") == command:
                line["entry"]["command"].update(changed)
        with_data(event_type, **changed)(lines)

    return change


def more(event_type: str, member: str, place: int = 0) -> Change:
    """Put a number up by one."""

    def change(lines: list[Line]) -> None:
        entries(lines, event_type)[place]["data"][member] += 1

    return change


def ruled(record: str, change: Change) -> Forgery:
    """Return a forgery that is tried in every scope."""
    return Forgery(record, change, EVERY_SCOPE)


def without(event_type: str, is_meant: Callable[[Line], bool]) -> Change:
    """Leave out the first event of a type whose entry is meant, and count the others on as if it had never been."""

    def change(lines: list[Line]) -> None:
        gone = next(entry for entry in entries(lines, event_type) if is_meant(entry))
        lines[:] = [line for line in lines if line.get("entry") is not gone]
        for version, line in enumerate(lines[1:-1], 1):
            line["entry"]["version"] = version

    return change


def phase(name: str) -> Callable[[Line], bool]:
    """Mean the beginning of this phase."""
    return lambda entry: entry["data"].get("phase") == name and "command" not in entry


FORGERIES: dict[str, Forgery] = {
    "a replaced score is another one": ruled(REPLACED, with_data("game_ended", scores=[7, 5, 8])),
    "replaced scores are in another order": ruled(REPLACED, with_data("game_ended", scores=[5, 7, 7])),
    "a replaced score is left out": ruled(REPLACED, with_data("game_ended", scores=[7, 5])),
    "a replaced result has another winner": ruled(REPLACED, with_data("game_ended", winners=[0])),
    "replaced winners are in another order": ruled(REPLACED, with_data("game_ended", winners=[2, 0])),
    "command and event name a winner twice": ruled(
        REPLACED, in_both("rule_game", "game_ended", winners=[0, 0, 2])
    ),
    "command and event name winners out of order": ruled(
        REPLACED, in_both("rule_game", "game_ended", winners=[2, 0])
    ),
    "command and event name a score below 0": ruled(
        REPLACED, in_both("rule_game", "game_ended", scores=[7, -5, 7])
    ),
    "command and event name a score above the highest": ruled(
        REPLACED, in_both("rule_game", "game_ended", scores=[7, 5, 1_000_001])
    ),
    "a replaced result is said to be an awarded one": ruled(
        REPLACED, with_data("game_ended", reason="awarded")
    ),
    "an awarded result is said to be a replaced one": ruled(
        AWARDED, with_data("game_ended", reason="replaced")
    ),
    "an awarded result is said to be drawn": ruled(AWARDED, with_data("game_ended", reason="drawn")),
    "an awarded result has other scores": ruled(AWARDED, with_data("game_ended", scores=[600, 500])),
    "an annulled game has other scores": ruled(ANNULLED, with_data("game_ended", scores=[1, 1, 1])),
    "an annulled game has a winner": ruled(ANNULLED, with_data("game_ended", winners=[1])),
    "a ruling is of another kind": ruled(REPLACED, with_data("ruling_made", kind="awarded")),
    "a ruling is of another case": ruled(REPLACED, with_data("ruling_made", case=2)),
    "a ruling is by another arbiter": ruled(REPLACED, with_data("ruling_made", arbiter="Eve")),
    "a ruling has another reason": ruled(REPLACED, with_data("ruling_made", reason="I felt like it.")),
    "a ruling covers something else": ruled(REPLACED, with_data("ruling_made", scope="nothing")),
    "a dismissed case is said to be annulled": Forgery(DISPUTED, with_data("ruling_made", kind="annulled")),
    "a pause is of another case": Forgery(DISPUTED, with_data("game_paused", case=9)),
    "a pause has another reason": Forgery(DISPUTED, with_data("game_paused", reason="tea")),
    "a pause is of no case": Forgery(DISPUTED, in_both("pause_game", "game_paused", case=0)),
    "another case is resumed": Forgery(DISPUTED, with_data("game_resumed", case=4)),
    "a take-back is said to be a ruling": Forgery(DISPUTED, with_data("game_rewound", case=3)),
    "a ruling is said to be a take-back": Forgery(DISPUTED, with_data("game_rewound", -1, case=None)),
    "a ruling goes back by another case": Forgery(
        DISPUTED, with_data("game_rewound", -1, case=4, paused_by=[3])
    ),
    "a game goes back to another version": Forgery(DISPUTED, more("game_rewound", "to_version")),
    "a take-back is asked for another version": Forgery(DISPUTED, more("take_back_asked", "to_version", 1)),
    "a take-back was agreed to by others": Forgery(DISPUTED, with_data("take_back_asked", agreed=[0, 1])),
    "a take-back that everybody agreed to does not happen": Forgery(
        LEFT, without("game_rewound", lambda _entry: True)
    ),
    "bean-duel: a take-back that everybody agreed to does not happen": Forgery(
        DISPUTED, without("game_rewound", lambda entry: "case" not in entry["data"])
    ),
    "classic: moves are made during a pause": Forgery(
        "classic/disputed", without("game_resumed", lambda entry: entry["version"] == LAST_RESUMED)
    ),
    "classic: moves are made before the ruling about a pause": Forgery(
        "classic/disputed", without("ruling_made", lambda entry: entry["data"]["kind"] == "dismissed")
    ),
    "bean-duel: moves are made during a pause": Forgery(
        DISPUTED, without("game_resumed", lambda entry: entry["version"] == LAST_RESUMED)
    ),
    "another bot takes over": Forgery(LEFT, with_data("seat_taken_over", bot="careful")),
    "no bot takes over": Forgery(LEFT, with_data("seat_taken_over", bot="")),
    "a seat is taken over for another reason": Forgery(LEFT, with_data("seat_taken_over", reason="time")),
    "an end by agreement is of another kind": Forgery(
        "classic/ended-drawn", with_data("end_offered", kind="called_off")
    ),
    "an end by agreement has another reason": Forgery(
        "classic/ended-drawn", with_data("game_ended", reason="called_off")
    ),
    "a drawn game has one winner": Forgery("classic/ended-drawn", with_data("game_ended", winners=[0])),
    "a game is closed for another reason": Forgery(
        "ladybohn/ended-untouched", with_data("game_closed", reason="never_begun")
    ),
    "a closed game ends for another reason": Forgery(
        "ladybohn/ended-untouched", with_data("game_ended", reason="never_begun")
    ),
    "time is over for another seat": Forgery(CLOCKED, more("time_expired", "seat")),
    "time is over at another moment": Forgery(CLOCKED, more("time_expired", "deadline")),
    "time is over once more often": Forgery(CLOCKED, more("time_expired", "strikes")),
    "more time is given back": Forgery(CLOCKED, more("time_credited", "until")),
    "time is given back for another reason": Forgery(CLOCKED, with_data("time_credited", reason="kindness")),
    "a gift is by the other player": Forgery(
        "the-duel/two-players", where("gift_given", lambda entry: entry["data"]["to"] == 1, seat=1, to=0)
    ),
    "a gift goes to its giver": Forgery(
        "the-duel/two-players", where("gift_given", lambda entry: entry["data"]["to"] == 1, to=0)
    ),
    "a gift is offered by the other player": Forgery(
        "the-duel/two-players", with_data("gift_offered", seat=1)
    ),
    "another gift is accepted": Forgery(
        "the-duel/two-players",
        where("gift_accepted", lambda entry: entry["data"]["variety"] != "chili", variety="chili"),
    ),
    "a bluff is paid to oneself": Forgery("the-duel/two-players", with_data("bluff_paid", seat=1, to=1)),
    "a claim in play is said to be final": Forgery(
        "the-duel/two-players", where("bonus_claimed", lambda entry: "command" in entry, final=True)
    ),
    "a final harvest is said to be an ordinary one": Forgery(
        "bean-duel/2-players-4023",
        where("field_harvested", lambda entry: "final" in entry["data"], final=False),
    ),
    "an ordinary harvest is said to be final": Forgery(
        "bean-duel/2-players-4023", where("field_harvested", lambda entry: "command" in entry, final=True)
    ),
    "a final levy is said to be an ordinary one": Forgery(
        "ladybohn-expansion/5-players-levy-24",
        where("coins_levied", lambda entry: "final" in entry["data"], final=None),
    ),
    "an ordinary levy is said to be final": Forgery(
        "ladybohn-expansion/5-players-levy-7",
        where("coins_levied", lambda entry: "command" in entry, final=True),
    ),
    "a fan overflows at another seat": Forgery(
        "ladybohn-expansion/5-players-4005", more("fan_overflowed", "seat", 0)
    ),
    "a card is put on a fan by another seat": Forgery(
        "ladybohn-expansion/5-players-4005", with_data("revealed_put_on_fan", seat=0)
    ),
    "another field is barred": Forgery("ladybohn/3-players-4117", with_data("field_barred", field=0)),
    "a field is barred for another seat": Forgery(
        "ladybohn/3-players-4117", with_data("field_barred", seat=1)
    ),
    "an answer to a closed offer goes to another seat": Forgery(
        "ladybohn/ended-untouched",
        where("offer_made", lambda entry: entry["data"].get("counters") and entry["data"]["to"] == 2, to=1),
    ),
    "a promise is given to another seat": Forgery(
        "ladybohn-expansion/five-players", with_data("levy_promised", to=2)
    ),
    "a miss moves by an owed move that was none": Forgery(
        "ladybohn/three-players", where("miss_moved", lambda entry: "owed" in entry["data"], owed=None)
    ),
    "classic/three-players: the phase plant does not begin": Forgery(
        "classic/three-players", without("phase_began", phase("plant"))
    ),
    "classic/three-players: the phase reveal does not begin": Forgery(
        "classic/three-players", without("phase_began", phase("reveal"))
    ),
    "classic/three-players: the phase trade does not begin": Forgery(
        "classic/three-players", without("phase_began", phase("trade"))
    ),
    "classic/three-players: the phase plant_aside does not begin": Forgery(
        "classic/three-players", without("phase_began", phase("plant_aside"))
    ),
    "classic/three-players: the phase draw does not begin": Forgery(
        "classic/three-players", without("phase_began", phase("draw"))
    ),
    "bean-duel/2-players-4023: the phase plant does not begin": Forgery(
        "bean-duel/2-players-4023", without("phase_began", phase("plant"))
    ),
    "bean-duel/2-players-4023: the phase reveal does not begin": Forgery(
        "bean-duel/2-players-4023", without("phase_began", phase("reveal"))
    ),
    "bean-duel/2-players-4023: the phase plant_revealed does not begin": Forgery(
        "bean-duel/2-players-4023", without("phase_began", phase("plant_revealed"))
    ),
    "bean-duel/2-players-4023: the phase offered does not begin": Forgery(
        "bean-duel/2-players-4023", without("phase_began", phase("offered"))
    ),
    "the-duel/two-players: the phase plant does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("plant"))
    ),
    "the-duel/two-players: the phase reveal does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("reveal"))
    ),
    "the-duel/two-players: the phase offer_gift does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("offer_gift"))
    ),
    "the-duel/two-players: the phase answer_gift does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("answer_gift"))
    ),
    "the-duel/two-players: the phase give does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("give"))
    ),
    "the-duel/two-players: the phase plant_aside does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("plant_aside"))
    ),
    "the-duel/two-players: the phase draw does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("draw"))
    ),
    "the-duel/two-players: the phase bonus does not begin": Forgery(
        "the-duel/two-players", without("phase_began", phase("bonus"))
    ),
    "ladybohn-expansion/5-players-levy-7: the phase levy does not begin": Forgery(
        "ladybohn-expansion/5-players-levy-7", without("phase_began", phase("levy"))
    ),
    "ladybohn-expansion/five-players: the phase fans does not begin": Forgery(
        "ladybohn-expansion/five-players", without("phase_began", phase("fans"))
    ),
    "classic/three-players: a turn does not begin": Forgery(
        "classic/three-players", without("turn_began", lambda entry: entry["data"]["turn"] == 3)
    ),
    "classic/three-players: the first turn does not begin": Forgery(
        "classic/three-players", without("turn_began", lambda entry: entry["data"]["turn"] == 1)
    ),
    "classic/three-players: a final harvest for nothing is left out": Forgery(
        "classic/three-players",
        without(
            "field_harvested", lambda entry: bool(entry["data"].get("final")) and entry["data"]["coins"] == 0
        ),
    ),
    "classic/three-players: a harvest for nothing is left out": Forgery(
        "classic/three-players",
        without(
            "field_harvested", lambda entry: not entry["data"].get("final") and entry["data"]["coins"] == 0
        ),
    ),
    "bean-duel/2-players-4023: a turn does not begin": Forgery(
        "bean-duel/2-players-4023", without("turn_began", lambda entry: entry["data"]["turn"] == 3)
    ),
    "bean-duel/two-players: the first turn does not begin": Forgery(
        "bean-duel/two-players", without("turn_began", lambda entry: entry["data"]["turn"] == 1)
    ),
    "bean-duel/2-players-4023: a final harvest for nothing is left out": Forgery(
        "bean-duel/2-players-4023",
        without(
            "field_harvested", lambda entry: bool(entry["data"].get("final")) and entry["data"]["coins"] == 0
        ),
    ),
    "bean-duel/2-players-4023: a harvest for nothing is left out": Forgery(
        "bean-duel/2-players-4023",
        without(
            "field_harvested", lambda entry: not entry["data"].get("final") and entry["data"]["coins"] == 0
        ),
    ),
    "the-duel/two-players: a turn does not begin": Forgery(
        "the-duel/two-players", without("turn_began", lambda entry: entry["data"]["turn"] == 3)
    ),
    "the-duel/two-players: the first turn does not begin": Forgery(
        "the-duel/two-players", without("turn_began", lambda entry: entry["data"]["turn"] == 1)
    ),
    "the-duel/two-players: a final harvest for nothing is left out": Forgery(
        "the-duel/two-players",
        without(
            "field_harvested", lambda entry: bool(entry["data"].get("final")) and entry["data"]["coins"] == 0
        ),
    ),
    "the-duel/two-players: a harvest for nothing is left out": Forgery(
        "the-duel/two-players",
        without(
            "field_harvested", lambda entry: not entry["data"].get("final") and entry["data"]["coins"] == 0
        ),
    ),
    "a member of an event is missing": Forgery(DISPUTED, with_data("take_back_agreed", seat=None)),
    "an event has a member too many": Forgery(DISPUTED, with_data("take_back_agreed", note="yes")),
    "winners are left out": Forgery(ANNULLED, with_data("game_ended", winners=None)),
}


@cache
def genuine(name: str, scope: str) -> list[Line]:
    """Return a recorded game as viewers of this scope have it."""
    return narrowed(recorded(name), scope)


@pytest.mark.parametrize(
    ("name", "scope"), sorted({(each.record, scope) for each in FORGERIES.values() for scope in each.scopes})
)
def test_the_genuine_record_verifies(tmp_path: Path, name: str, scope: str) -> None:
    """Sealing again changes nothing in a record that nobody has changed."""
    for verdict in verify_with_both(
        write(tmp_path / "record.ndjson", sealed(deepcopy(genuine(name, scope))))
    ):
        assert (verdict.status, verdict.findings) == (0, ())


@pytest.mark.parametrize(
    ("forgery", "scope"), [(name, scope) for name, each in FORGERIES.items() for scope in each.scopes]
)
def test_the_forged_record_does_not(tmp_path: Path, forgery: str, scope: str) -> None:
    """Both verifiers end with status 1 and name the same entry, or in the scope `all` the same step."""
    name, change, _ = FORGERIES[forgery]
    lines = deepcopy(genuine(name, scope))
    change(lines)
    first, second = verify_with_both(write(tmp_path / "record.ndjson", sealed(lines)))

    assert (first.status, second.status) == (1, 1), (first.findings, second.findings)
    if scope != "all":
        assert first.findings[0][1] == second.findings[0][1], (first.findings, second.findings)
