"""Leaving, coming back and early ends that were changed or made up: both verifiers refuse them."""

from collections.abc import Callable
from typing import Any

import pytest

from events.log.disclosure import ALL, PUBLIC
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, altered, entry_of, parsed, relinked_after, resettled
from tests.replay.verification.test_forged_rewindings import with_data
from tests.support.left_games import EARLY_ENDS, early_record, left_record
from tests.support.recorded_games import RecordedGame
from tests.support.second_verifier import SecondVerifier

Change = Callable[[list[Line]], None]
LEFT = left_record(640, "classic", 3)
"""Seat 0 leaves, comes back, leaves again over which the game goes back, and is away at the end; seat 2 is a bot."""
EARLY = {reason: early_record(641, "classic", 3, reason) for reason in EARLY_ENDS}
LAST = ("game_ended", -1)


def checks_failing(second: SecondVerifier, game: RecordedGame, change: Change) -> list[str]:
    """The checks that fail in a spectator's record: of the first verifier and of the second."""
    forged = altered(game.record(PUBLIC), change)
    first, other = verify_lines(forged), second.report(forged)
    assert not first.ok
    assert not other["ok"]
    return [first.findings[0].check, other["findings"][0]["check"]]


def as_another(event_type: str, other: str, place: int = 0, command: str = "", **data: Any) -> Change:
    """Make an entry one of another type, with this command where it has one."""

    def change(lines: list[Line]) -> None:
        entry = entry_of(lines, event_type, place)["entry"]
        entry["type"], entry["data"] = other, data
        if command:
            entry["command"] = {"type": command, **({"kind": data["kind"]} if "kind" in data else {})}

    return change


def without(event_type: str, place: int = 0) -> Change:
    """Leave an entry out, and count the others on as if it had never been."""

    def change(lines: list[Line]) -> None:
        lines.remove(entry_of(lines, event_type, place))
        for version, line in enumerate(lines[1:-1], 1):
            line["entry"]["version"] = version

    return change


def offered_to_a_bot(lines: list[Line]) -> None:
    """Make the last player a bot, which agrees at once to the end that is offered."""
    entry = entry_of(lines, "seat_taken", 2)["entry"]
    for said in (entry["data"], entry["command"]):
        said |= {"kind": "bot", "bot": "random"}
    entry_of(lines, "end_offered")["entry"]["data"]["agreed"] = [0, 2]
    accepted = entry_of(lines, "end_accepted", -1)
    lines.remove(accepted)
    for version, line in enumerate(lines[1:-1], 1):
        line["entry"]["version"] = version


FORGED: dict[str, tuple[RecordedGame, Change]] = {
    "a take-over of a seat that nobody has left": (
        LEFT,
        as_another("seat_resigned", "talked", command="say", seat=0, text="bye"),
    ),
    "a take-over of another seat": (LEFT, with_data("seat_taken_over", seat=1)),
    "a leaving of another seat than is taken over": (LEFT, with_data("seat_resigned", seat=2)),
    "a take-over for a reason that there is none for": (LEFT, with_data("seat_taken_over", reason="time")),
    "a take-over by nobody": (LEFT, with_data("seat_taken_over", bot="")),
    "a leaving after which nobody takes over": (LEFT, without("seat_taken_over")),
    "a return of who has not left": (LEFT, with_data("seat_returned", seat=1)),
    "a second return": (
        LEFT,
        as_another("end_offered", "seat_returned", command="come_back", seat=1),
    ),
    "going back brings somebody back": (
        LEFT,
        with_data("game_rewound", away=None, bots=None),
    ),
    "going back sends another away": (LEFT, with_data("game_rewound", away=[1])),
    "going back forgets a return": (LEFT, with_data("game_rewound", returns=None)),
    "a bot that nobody named plays after going back": (LEFT, with_data("game_rewound", bots=["random"])),
    "a winner who is away": (LEFT, with_data(*LAST, winners=[0])),
    "no winner at all": (LEFT, with_data(*LAST, winners=[])),
    "an end that was never offered": (LEFT, with_data(*LAST, reason="drawn")),
    "everybody has left, which they have not": (LEFT, with_data(*LAST, reason="abandoned", winners=[])),
    "an end offered where a bot plays": (EARLY["drawn"], offered_to_a_bot),
    "an end to which its own seat does not agree": (EARLY["drawn"], with_data("end_offered", agreed=[])),
    "an end to which others agreed at once": (EARLY["drawn"], with_data("end_offered", agreed=[0, 1, 2])),
    "an end that is offered otherwise": (EARLY["drawn"], with_data("end_offered", kind="won")),
    "an end without everybody's agreement": (
        EARLY["drawn"],
        as_another("end_accepted", "talked", command="say", seat=1, text="no"),
    ),
    "an agreement of who has agreed": (EARLY["drawn"], with_data("end_accepted", seat=0)),
    "a draw that one has won": (EARLY["drawn"], with_data(*LAST, winners=[0])),
    "a draw that was called off": (EARLY["drawn"], with_data(*LAST, reason="called_off", winners=[])),
    "a game that was called off and won": (EARLY["called_off"], with_data(*LAST, winners=[1])),
    "a declined end that nobody offered": (
        EARLY["drawn"],
        as_another("end_offered", "end_declined", command="decline_end", seat=0),
    ),
    "an abandoned game that is won": (EARLY["abandoned"], with_data(*LAST, winners=[2])),
    "an abandoned game that ends for another reason": (
        EARLY["abandoned"],
        with_data(*LAST, reason="exhausted_while_drawing"),
    ),
    "a closed game that is won": (EARLY["untouched"], with_data(*LAST, winners=[0])),
    "a game closed that had begun as one that had not": (
        EARLY["untouched"],
        with_data("game_closed", reason="never_begun"),
    ),
    "a game closed for no reason": (EARLY["untouched"], with_data("game_closed", reason="boredom")),
    "a game that was never begun and ends as another": (
        EARLY["never_begun"],
        with_data(*LAST, reason="exhausted_while_drawing"),
    ),
    "a game that was never begun, with a winner": (EARLY["never_begun"], with_data(*LAST, winners=[0])),
}


def test_linking_anew_changes_nothing_in_genuine_games() -> None:
    """The forger's tools are sound: used without a change they give the same record."""
    for game in (LEFT, *EARLY.values()):
        assert resettled(parsed(game.record())) == game.record()


@pytest.mark.parametrize("what", FORGED)
def test_what_cannot_be_is_refused_by_both(second_verifier: SecondVerifier, what: str) -> None:
    """Fieldbook, house rule: who sees no hand sees that it cannot have been like this."""
    game, change = FORGED[what]
    assert {*checks_failing(second_verifier, game, change)} <= {"fold", "scores", "commands"}


@pytest.mark.parametrize("what", FORGED)
def test_what_cannot_be_is_refused_where_everything_is_shown(what: str) -> None:
    """There the rules themselves are asked again."""
    game, change = FORGED[what]
    report = verify_lines(altered(game.record(ALL), change))
    assert not report.ok


def test_scores_of_an_early_end_are_counted_again() -> None:
    """Only the first verifier knows what lies on the table."""
    for reason, game in EARLY.items():
        report = verify_lines(altered(game.record(PUBLIC), with_data(*LAST, scores=[7, 7, 7])))
        assert [each.check for each in report.findings] == ["scores"], reason


def test_a_fourth_return_is_refused(second_verifier: SecondVerifier) -> None:
    """Fieldbook, house rule: three times and no more, whoever looks."""
    game = left_record(642, "classic", 3)
    record = parsed(game.record(PUBLIC))
    version = entry_of(record, "seat_returned")["entry"]["version"]

    def come_and_go(lines: list[Line]) -> None:
        at = lines.index(entry_of(lines, "seat_returned"))
        returned, (resigned, taken) = lines[at], _leaving(lines)
        again = [returned, resigned, taken]
        lines[at : at + 1] = [_copied(each) for _ in range(3) for each in again] + [returned]
        latest = 0
        for number, line in enumerate(lines[1:-1], 1):
            latest = max(latest, line["entry"]["at"])
            line["entry"].update(version=number, at=latest)

    forged = relinked_after(game.record(PUBLIC), come_and_go)
    first, second = verify_lines(forged), second_verifier.report(forged)
    assert (first.findings[0].check, first.findings[0].version) == ("fold", version + 9)
    assert (second["findings"][0]["check"], second["findings"][0]["version"]) == ("fold", version + 9)


def _leaving(lines: list[Line]) -> tuple[Line, Line]:
    """The two entries with which seat 0 left."""
    return entry_of(lines, "seat_resigned"), entry_of(lines, "seat_taken_over")


def _copied(line: Line) -> Line:
    return {**line, "entry": {**line["entry"]}, "salts": {**line["salts"]}}
