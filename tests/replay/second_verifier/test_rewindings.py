"""Both verifiers say the same of games that were paused, ruled on and taken back, genuine or forged."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events import commands as c
from events.game.folding import Folding
from events.game.rewindable_history import REACH
from events.log.disclosure import ALL, PUBLIC
from events.log.redacted import event_in
from events.rules.move import ARBITER
from replay.client.sources import record_lines
from replay.verification.verify import verify_lines
from tests.replay.second_verifier.test_open_forgeries import findings_in
from tests.replay.verification.forging import Line, altered, parsed, resettled, written
from tests.replay.verification.test_forged_rewindings import CLASSIC, GAME, REWINDINGS, version_of, with_data
from tests.replay.verification.test_logs import FOLDER
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.second_verifier import SecondVerifier, check_agreement

DISPUTED = sorted(path for name in ("disputed", "ended-") for path in FOLDER.glob(f"*/{name}*"))
BY_THE_RULES = {
    "another case lets the game go on",
    "an unheard case holds the game up",
    "the ruling of another case",
    "by consent that nobody gave",
    "by a ruling that nobody made",
}
"""What is about who may go back: the second verifier knows the format and not the rules."""
SEES = {name: change for name, change in REWINDINGS.items() if name not in BY_THE_RULES}
SEES["another pile dealt anew"] = with_data("game_rewound", -1, redeal=["bonus"])


@pytest.mark.parametrize("path", DISPUTED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_recorded_game_with_disputes_verifies(second_verifier: SecondVerifier, path: Path) -> None:
    """Of each system; and those that a ruling ended."""
    with record_lines(str(path)) as lines:
        record = list(lines)

    check_agreement(verify_lines(record), second_verifier.report(record))


@pytest.mark.parametrize("viewer", GAME.scopes)
def test_a_game_that_went_back_verifies_in_every_scope(second_verifier: SecondVerifier, viewer: int) -> None:
    """Also as a record of a game that is still running."""
    record = GAME.record(viewer)
    check_agreement(verify_lines(record), second_verifier.report(record))

    back = [entry.version for entry in GAME.log if entry.type == "game_rewound"][-1]
    end = next(entry.version for entry in GAME.log[back + 6 :] if entry.command) - 1
    running = GAME.record(viewer, end)
    check_agreement(verify_lines(running), second_verifier.report(running))


@pytest.mark.parametrize("what", SEES)
def test_going_back_in_another_way_is_found_by_both(second_verifier: SecondVerifier, what: str) -> None:
    """Another version, other piles, shuffles counted wrong: with everything linked anew, at the same entry."""
    lines = parsed(altered(GAME.record(PUBLIC), SEES[what]))
    first, second = verify_lines(written(lines)), second_verifier.report(written(lines))

    assert (first.ok, second["ok"]) == (False, False)
    expected = first.findings[0].check, first.findings[0].version
    assert (second["findings"][0]["check"], second["findings"][0]["version"]) == expected


def _back(lines: list[Line]) -> int:
    return [
        version for version, line in enumerate(lines[1:-1], 1) if line["entry"]["type"] == "game_rewound"
    ][-1]


def _shuffles_after(lines: list[Line]) -> list[Line]:
    found = [line for line in lines[_back(lines) : -1] if line["entry"]["type"] == "pile_shuffled"]
    return found[:2]


def _old_number(lines: list[Line]) -> None:
    _shuffles_after(lines)[0]["entry"]["data"]["number"] -= 1


def _as_it_lay(lines: list[Line]) -> None:
    """What is left lies as it lay at the version gone back to, for who knows where."""
    shuffled, version = _shuffles_after(lines)[0]["entry"], _back(lines)
    folding = Folding()
    for line in lines[1:version]:
        folding.follow(event_in(line["entry"]), begins="command" in line["entry"])
    folding.follow(event_in(lines[version]["entry"]), begins=True)
    shuffled["data"]["order"] = shuffled["command"]["order"] = list(folding.state.draw_pile)


def _refilled(lines: list[Line]) -> None:
    call = [line for line in lines[1:-1] if line["entry"]["data"].get("purpose") == "redeal"][-1]
    call["entry"]["data"]["purpose"] = "refill"


def _dealt_anew_for_nothing(lines: list[Line]) -> None:
    deal = [line for line in lines[1:-1] if line["entry"]["data"].get("purpose") == "deal"][-1]
    deal["entry"]["data"]["purpose"] = "redeal"


def _not_dealt_anew(lines: list[Line]) -> None:
    """The calls of the dealer and its answers go, and what follows is numbered on."""
    back = _back(lines)
    del lines[back + 1 : back + 5]
    _numbered(lines)


def _cut_out(lines: list[Line]) -> None:
    back = _back(lines)
    del lines[lines[back]["entry"]["data"]["to_version"] + 1 : back - 1]
    _numbered(lines)


def _gap(lines: list[Line]) -> None:
    back = _back(lines)
    del lines[back - 6 : back - 2]


def _numbered(lines: list[Line]) -> None:
    for version, line in enumerate(lines[1:-1], 1):
        line["entry"]["version"] = version


FORGED = {
    "an old shuffle again": _old_number,
    "the pile as it lay": _as_it_lay,
    "the pile refilled instead": _refilled,
    "a pile dealt anew though nobody went back": _dealt_anew_for_nothing,
    "no pile dealt anew at all": _not_dealt_anew,
    "the discarded stretch cut out": _cut_out,
    "a gap in the discarded stretch": _gap,
}


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1])
@pytest.mark.parametrize("what", FORGED)
def test_what_a_forger_would_do_is_found_by_both(
    second_verifier: SecondVerifier, what: str, viewer: int
) -> None:
    """With states and chain computed anew."""
    lines = parsed(GAME.record(viewer))
    if what == "the pile as it lay" and viewer != ALL:
        lines = parsed(GAME.record(ALL))
    FORGED[what](lines)
    record = resettled(lines)

    assert not verify_lines(record).ok
    assert not second_verifier.report(record)["ok"]


def test_both_reach_back_equally_far(second_verifier: SecondVerifier) -> None:
    """docs/record-format.md: the last 10,000 stops, and none before; talk makes none, nor does what is held up."""
    begun = recorded_game(5, 3, (), 3, 60)
    table, log, tables = begun.table, list(begun.log), {}
    for moment in range(REACH + 3):
        tables[table.version] = replace(table.state, planted=table.state.planted + 1)
        for command in (c.PauseGame(1, "clock"), c.ResumeGame(1)):
            table, entries = table.submit(ARBITER, command, log[-1].at + moment)
            log += entries
    table, entries = table.submit(0, c.Say("x"), log[-1].at)
    log += entries
    tables[table.version - 1] = tables[begun.table.version]
    within = sorted(tables)[-REACH:][0]
    for version, holds in ((within, True), (within - 2, False), (within + 1, False)):
        ruling = c.RuleGame(1, "rewound", "Ada", "the pauses", "No.", version, seen_confirmed=True)
        earlier = tables.get(version, tables[within])
        rewound, entries = table.submit(ARBITER, ruling, log[-1].at, {version: earlier}.get)
        game = RecordedGame(rewound, (*log, *entries))
        record = game.record(PUBLIC, rewound.version)

        assert verify_lines(record).ok == holds
        assert second_verifier.report(record)["ok"] == holds


def test_a_version_that_is_no_number_is_a_finding(second_verifier: SecondVerifier) -> None:
    """Whatever a record holds becomes a finding, also where a version or a list of piles should be."""
    wrong: list[tuple[str, Any]] = [
        ("to_version", "260"),
        ("to_version", None),
        ("to_version", []),
        ("redeal", "draw"),
    ]
    for name, value in wrong:
        lines = parsed(GAME.record(PUBLIC))
        lines[_back(lines)]["entry"]["data"][name] = value
        record = [*map(bytes, written(lines))]
        assert not second_verifier.report(record)["ok"], json.dumps(value)
        assert not verify_lines(record).ok


@pytest.mark.parametrize(
    "changed", [{"to_version": 2}, {"seen_confirmed": None}], ids=["to nowhere", "unconfirmed"]
)
def test_asking_for_what_cannot_be_is_found(second_verifier: SecondVerifier, changed: dict[str, Any]) -> None:
    """Fieldbook, house rule: back to where somebody could act; who goes back past seen cards has to know it."""
    forged = parsed(CLASSIC.record(PUBLIC))
    with_data("take_back_asked", -1, **changed)(forged)
    entry = forged[version_of(CLASSIC, "take_back_asked", -1)]["entry"]
    said = entry["command"] | changed
    entry["command"] = {name: value for name, value in said.items() if value is not None}

    assert findings_in(second_verifier, forged) == [("fold", entry["version"])] * 2
