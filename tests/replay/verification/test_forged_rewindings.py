"""Pauses, rulings and take-backs that were changed, with everything linked anew: found also by who sees no hand."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import events.game.table
from events import commands as c
from events.game.dealing import dealers_command
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, altered, entry_of, finding_in, parsed, resettled
from tests.support.recorded_games import RecordedGame
from tests.support.ruled_games import disputed_record, ruled_record

Change = Callable[[list[Line]], None]
game_of = cache(disputed_record)
GAME = game_of(600, "the-duel", 2)
"""A genuine game of The Duel: its third going back is by a ruling, and both piles are dealt anew."""
CLASSIC = game_of(600, "classic", 3)
ANNULLED = ruled_record(610, "classic", 3, c.RuleGame(1, "annulled", "Ada", "all", "Collusion."))
AWARDED = ruled_record(610, "classic", 3, c.RuleGame(1, "awarded", "Ada", "all", "Left.", winners=(0,)))
REPLACED = ruled_record(
    610, "classic", 3, c.RuleGame(1, "replaced", "Ada", "all", "Agreed.", winners=(0,), scores=(9, 1, 1))
)


def version_of(game: RecordedGame, event_type: str, place: int = 0) -> int:
    """The version of an entry of this type in a game."""
    return [entry.version for entry in game.log if entry.type == event_type][place]


def with_data(event_type: str, place: int = 0, **changed: Any) -> Change:
    """Change an event's data; None takes a member out."""

    def change(lines: list[Line]) -> None:
        data = entry_of(lines, event_type, place)["entry"]["data"]
        data.update(changed)
        for name in [name for name, value in data.items() if value is None]:
            del data[name]

    return change


def test_linking_anew_changes_nothing_in_a_genuine_game_that_went_back() -> None:
    """The forger's tools are sound: used without a change they give the same record."""
    for game in (GAME, CLASSIC, REPLACED):
        assert resettled(parsed(game.record())) == game.record()


# --- going back ----------------------------------------------------------------------------------------------

BACK = GAME.log[version_of(GAME, "game_rewound", -1) - 1]
FIRST_BACK = version_of(GAME, "game_rewound", 0)
WITHIN_A_COMMAND = next(
    entry.version
    for entry, following in zip(GAME.log[20:], GAME.log[21:], strict=False)
    if not following.command
)
REWINDINGS: dict[str, Change] = {
    "to before the first turn": with_data("game_rewound", -1, to_version=3),
    "to a version before the first": with_data("game_rewound", -1, to_version=0),
    "to a negative version": with_data("game_rewound", -1, to_version=-1),
    "to a version within a command": with_data("game_rewound", -1, to_version=WITHIN_A_COMMAND),
    "to itself": with_data("game_rewound", -1, to_version=BACK.version),
    "to a version to come": with_data("game_rewound", -1, to_version=BACK.version + 5),
    "to a discarded stretch": with_data("game_rewound", -1, to_version=FIRST_BACK - 1),
    "no pile dealt anew": with_data("game_rewound", -1, redeal=None),
    "one pile dealt anew of two": with_data("game_rewound", -1, redeal=["draw"]),
    "the piles in another order": with_data("game_rewound", -1, redeal=["bonus", "draw"]),
    "an unknown pile dealt anew": with_data("game_rewound", -1, redeal=["draw", "bonus", "hands"]),
    "a pile dealt anew that nobody touched": with_data("game_rewound", 0, redeal=["draw"]),
    "the shuffles counted from the beginning": with_data("game_rewound", -1, shuffles=1),
    "the bonus shuffles counted from the beginning": with_data("game_rewound", -1, bonus_shuffles=None),
    "another case lets the game go on": with_data("game_rewound", -1, paused_by=None),
    "an unheard case holds the game up": with_data("game_rewound", -1, paused_by=[4, 9]),
    "the ruling of another case": with_data("game_rewound", -1, case=4),
    "by consent that nobody gave": with_data("game_rewound", -1, case=None),
    "by a ruling that nobody made": with_data("game_rewound", 0, case=7),
}


@pytest.mark.parametrize("what", REWINDINGS)
def test_going_back_in_another_way_is_found(what: str) -> None:
    """Fieldbook, house rule: a spectator sees that the game could not go back like this."""
    place = 0 if what in {"a pile dealt anew that nobody touched", "by a ruling that nobody made"} else -1
    version = version_of(GAME, "game_rewound", place)

    assert finding_in(altered(GAME.record(PUBLIC), REWINDINGS[what])) == ("fold", version)
    assert finding_in(altered(GAME.record(ALL), REWINDINGS[what])) == ("rules", version)


def _asked_for_another_version(lines: list[Line]) -> None:
    entry_of(lines, "game_rewound", 1)["entry"]["data"]["to_version"] = (
        version_of(GAME, "take_back_asked", -1) - 1
    )


def _without_a_call(lines: list[Line]) -> None:
    call = [line for line in lines if line.get("entry", {}).get("data", {}).get("purpose") == "redeal"][-1]
    call["entry"]["data"]["purpose"] = "refill"


def test_a_take_back_to_another_version_than_was_asked_for_is_found() -> None:
    """Fieldbook, house rule: all have agreed to that version and no other."""
    version = version_of(GAME, "game_rewound", 1)

    assert finding_in(altered(GAME.record(PUBLIC), _asked_for_another_version)) == ("fold", version)


def test_a_pile_that_is_dealt_anew_as_if_it_had_run_out_is_found() -> None:
    """Fieldbook, house rule: what is left of it is shuffled, not the discards."""
    version = version_of(GAME, "game_rewound", -1)

    check, found = finding_in(altered(GAME.record(PUBLIC), _without_a_call))

    assert (check, found > version) == ("fold", True)


@pytest.mark.parametrize("pile", ["draw", "bonus"])
def test_an_old_shuffle_that_comes_again_is_found(pile: str) -> None:
    """Fieldbook, house rule: it would deal what somebody has seen."""
    version = version_of(GAME, "game_rewound", -1)
    shuffle = next(
        entry.version
        for entry in GAME.log[version:]
        if entry.type == "pile_shuffled" and f'"{pile}"'.encode() in entry.data
    )

    def change(lines: list[Line]) -> None:
        lines[shuffle]["entry"]["data"]["number"] -= 1

    assert finding_in(altered(GAME.record(PUBLIC), change)) == ("fold", shuffle)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_a_rigged_shuffle_after_going_back_is_found(monkeypatch: pytest.MonkeyPatch, viewer: int) -> None:
    """A dealer that lays what is left as it likes is found out by everybody, when its secret is opened."""

    def rigged(rules: Rules, state: GameState, secret: str) -> c.Command:
        honest = dealers_command(rules, state, secret)
        return c.Shuffle("draw", state.draw_pile) if state.redeal == ("draw",) else honest

    monkeypatch.setattr(events.game.table, "dealers_command", rigged)
    game = disputed_record(600, "classic", 3)
    shuffle = next(
        entry.version
        for entry in game.log[version_of(game, "game_rewound", 1) :]
        if entry.type == "pile_shuffled"
    )

    assert finding_in(game.record(viewer)) == ("shuffles", shuffle)


def _cut_out(lines: list[Line]) -> None:
    """The last discarded stretch goes, with what led back; what follows is numbered on."""
    back = version_of(GAME, "game_rewound", -1)
    to = lines[back]["entry"]["data"]["to_version"]
    ruled = version_of(GAME, "ruling_made", -1)
    del lines[to + 1 : ruled]
    for version, line in enumerate(lines[1:-1], 1):
        line["entry"]["version"] = version


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0], ids=viewer_name)
def test_a_discarded_stretch_that_was_cut_out_is_missed(viewer: int) -> None:
    """Nothing is ever taken out of the log: salts, shuffles and what leads back say that more had happened."""

    def gap(lines: list[Line]) -> None:
        del lines[BACK.version - 5 : BACK.version - 2]

    lines = parsed(GAME.record(viewer))
    gap(lines)
    assert not verify_lines(resettled(lines)).ok
    assert not verify_lines(altered(GAME.record(viewer), _cut_out)).ok


# --- pauses and take-backs -----------------------------------------------------------------------------------

INTERRUPTIONS: dict[str, tuple[str, int, Change]] = {
    "a case that pauses twice": ("game_paused", -1, with_data("game_paused", -1, case=3)),
    "a case without a number": ("game_paused", 0, with_data("game_paused", 0, case=0)),
    "a case resumed that had not paused": ("game_resumed", 0, with_data("game_resumed", 0, case=9)),
    "a ruling of no known kind": ("ruling_made", 0, with_data("ruling_made", 0, kind="pardoned")),
    "a ruling without a case": ("ruling_made", 0, with_data("ruling_made", 0, case=0)),
    "a seat that agrees twice": ("take_back_agreed", 0, with_data("take_back_agreed", 0, seat=1)),
}


@pytest.mark.parametrize("what", INTERRUPTIONS)
def test_an_interruption_that_makes_no_sense_is_found(what: str) -> None:
    """Fieldbook, house rule: cases pause once and resume what they paused; a seat agrees once."""
    event_type, place, change = INTERRUPTIONS[what]

    found = finding_in(altered(GAME.record(PUBLIC), change))

    assert found == ("fold", version_of(GAME, event_type, place))


def _moved(game: RecordedGame, event_type: str, to: int) -> Change:
    """The first entry of a type is told again at another place in the game, in place of the entry there."""

    def change(lines: list[Line]) -> None:
        line = lines[to]["entry"]
        told = entry_of(lines, event_type)["entry"]
        lines[to]["entry"] = {**told, "version": line["version"], "at": line["at"]}
        lines[to]["salts"] = {}

    return change


@pytest.mark.parametrize("event_type", ["take_back_agreed", "take_back_declined"])
def test_an_answer_to_no_question_is_found(event_type: str) -> None:
    """Fieldbook, house rule."""
    to = next(entry.version for entry in GAME.log[20:] if entry.type == "talked" or entry.command)

    assert finding_in(altered(GAME.record(PUBLIC), _moved(GAME, event_type, to))) == ("fold", to)


def test_two_take_backs_at_once_are_found() -> None:
    """Fieldbook, house rule: one is answered before the next is asked."""
    to = version_of(GAME, "take_back_declined")

    assert finding_in(altered(GAME.record(PUBLIC), _moved(GAME, "take_back_asked", to))) == ("fold", to)


@pytest.mark.parametrize("held_up_by", ["game_paused", "take_back_asked"])
def test_play_in_a_game_that_is_held_up_is_found(held_up_by: str) -> None:
    """Fieldbook, house rule: only talk is accepted then."""
    to = version_of(GAME, held_up_by) + 1

    assert finding_in(altered(GAME.record(PUBLIC), _moved(GAME, "bean_planted", to))) == ("fold", to)


# --- what a ruling ends --------------------------------------------------------------------------------------


def _dismissed(lines: list[Line]) -> None:
    ruled = entry_of(lines, "ruling_made")["entry"]
    ruled["data"]["kind"] = ruled["command"]["kind"] = "dismissed"


ENDS: dict[str, tuple[RecordedGame, str, Change]] = {
    "an annulled game with a winner": (ANNULLED, "scores", with_data("game_ended", winners=[0])),
    "an annulled game with other scores": (ANNULLED, "scores", with_data("game_ended", scores=[9, 9, 9])),
    "a game awarded to nobody": (AWARDED, "scores", with_data("game_ended", winners=[])),
    "a game awarded to a seat that is not there": (AWARDED, "scores", with_data("game_ended", winners=[3])),
    "a game awarded with other scores": (AWARDED, "scores", with_data("game_ended", scores=[9, 9, 9])),
    "a replaced result with too many scores": (
        REPLACED,
        "scores",
        with_data("game_ended", scores=[9, 1, 1, 1]),
    ),
    "a replaced result in another unit": (REPLACED, "scores", with_data("game_ended", unit="cents")),
    "a replaced result without winners": (REPLACED, "scores", with_data("game_ended", winners=[])),
    "a ruling that is not the one made": (AWARDED, "fold", with_data("game_ended", reason="replaced")),
    "an end of play where a ruling was made": (
        AWARDED,
        "fold",
        with_data("game_ended", reason="final_exhaustion"),
    ),
    "an end by a ruling that nobody made": (CLASSIC, "fold", with_data("game_ended", reason="awarded")),
    "a ruling that ends nothing": (ANNULLED, "fold", _dismissed),
}


@pytest.mark.parametrize("what", ENDS)
def test_an_end_that_no_ruling_has_brought_about_is_found(what: str) -> None:
    """Fieldbook, house rule: a spectator sees that the result does not follow from the ruling, nor from the table."""
    game, check, change = ENDS[what]
    version = version_of(game, "game_ended")

    assert finding_in(altered(game.record(PUBLIC), change)) == (check, version)
