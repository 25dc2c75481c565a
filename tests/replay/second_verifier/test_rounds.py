"""Games of a duplicate round: both verifiers take them, closed and open, and refuse what is not theirs."""

from collections.abc import Callable
from typing import Any

import pytest

import events.game.dealing
import events.game.table
from events.chain.commitments import salt_key
from events.game.dealing import game_salt_key, shuffled, shuffled_alike
from events.game.record import Attachment
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.log.upcasting import UndecodableEvent
from events.transparency.game_head import GameHead
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, entry_of, parsed, relinked, resettled
from tests.support.recorded_games import RecordedGame
from tests.support.rounds import DEAL, closed_table, open_table_of_round, opened
from tests.support.ruled_games import STRETCH, disputed_record
from tests.support.second_verifier import SecondVerifier, check_agreement
from tests.support.signing import Signer

OPEN = open_table_of_round("table-1", 1)
CLOSED = closed_table("table-1", 1)
SCOPES = pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)


@pytest.mark.parametrize(("system", "players"), [("classic", 4), ("the-duel", 2), ("ladybohn", 3)])
def test_both_verifiers_take_them(second_verifier: SecondVerifier, system: str, players: int) -> None:
    """In each kind of scope, while the secret is closed and when it is open; once it is, the piles are checked."""
    closed = closed_table("table-1", 1, system=system, players=players)
    game = opened(closed)

    for each, status in ((closed, "ended"), (game, "finished")):
        for viewer in (ALL, PUBLIC, 1) if system == "the-duel" else (ALL, 1):
            report = verify_lines(each.record(viewer))
            assert (report.status, bool(report.checks.get("shuffles"))) == (status, status == "finished")
            check_agreement(report, second_verifier.report(each.record(viewer)))


def test_both_take_one_that_went_back(second_verifier: SecondVerifier) -> None:
    """What was left of a pile is dealt anew by the same values; cases, rulings and take-backs change nothing else."""
    begun = closed_table("table-2", 2, stop_at=3 * STRETCH)
    game = opened(disputed_record(2, "classic", 4, begun))

    assert any(entry.type == "game_rewound" for entry in game.log)
    for viewer in (ALL, PUBLIC):
        check_agreement(verify_lines(game.record(viewer)), second_verifier.report(game.record(viewer)))


def test_what_is_signed_of_a_closed_one_says_that_it_runs(second_verifier: SecondVerifier) -> None:
    """As it is with every game between its end and the opening of its secret."""
    signer, table = Signer(), CLOSED.table
    head = signer.signed(GameHead(table.game, table.version, table.hash, "running"))
    record = CLOSED.record(attachments=[Attachment("key", str(signer.key)), Attachment("head", head)])
    trust = Trust((signer.key,))

    check_agreement(verify_lines(record, trust), second_verifier.report(record, trust))


def findings_in(second: SecondVerifier, record: list[bytes]) -> set[tuple[str, int]]:
    """What both find, each once: the check and the version."""
    first, other = verify_lines(record), second.report(record)
    assert not first.ok
    assert not other["ok"]
    found = other["findings"][0]
    return {(first.findings[0].check, first.findings[0].version), (found["check"], found["version"])}


def dealt_by(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, another: Any, **given: Any
) -> RecordedGame:
    """A game of which one thing was computed in another way than its log says."""
    with monkeypatch.context() as patched:
        patched.setattr(where, name, another)
        return opened_if_closed(closed_table.__wrapped__("table-1", 1, **given))


def opened_if_closed(game: RecordedGame) -> RecordedGame:
    """The game with its secret open."""
    return game if game.table.state.status == "finished" else opened(game)


@SCOPES
def test_a_round_that_was_shuffled_by_version_1_is_refused(
    second_verifier: SecondVerifier, monkeypatch: pytest.MonkeyPatch, viewer: int
) -> None:
    """At the first card that lies elsewhere."""
    forged = dealt_by(monkeypatch, events.game.dealing, "shuffled_alike", shuffled)

    assert findings_in(second_verifier, forged.record(viewer)) == {
        ("shuffles", _version(forged, "pile_shuffled"))
    }


@SCOPES
def test_a_game_of_version_1_that_was_shuffled_by_version_2_is_refused(
    second_verifier: SecondVerifier, monkeypatch: pytest.MonkeyPatch, viewer: int
) -> None:
    """It says nothing of a round."""
    forged = dealt_by(monkeypatch, events.game.dealing, "shuffled", shuffled_alike, dealing=None)

    assert findings_in(second_verifier, forged.record(viewer)) == {
        ("shuffles", _version(forged, "pile_shuffled"))
    }


@pytest.mark.parametrize("of", ["no game", "another game"])
@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_salts_that_are_not_bound_to_the_game_are_refused(
    second_verifier: SecondVerifier, monkeypatch: pytest.MonkeyPatch, of: str, viewer: int
) -> None:
    """A player at another table could open what is committed to here."""

    def unbound(secret: str, *_: object) -> bytes:
        return salt_key(secret) if of == "no game" else game_salt_key(secret, "table-2", DEAL)

    forged = dealt_by(monkeypatch, events.game.table, "game_salt_key", unbound)

    expected = ("commitments", 1) if viewer == ALL else ("shuffles", _version(forged, "pile_shuffled"))
    assert findings_in(second_verifier, forged.record(viewer)) == {expected}


def _version(game: RecordedGame, event: str) -> int:
    return next(entry.version for entry in game.log if entry.type == event)


def _both(lines: list[Line], kind: str, **members: Any) -> None:
    """Change members of an event and of the command that brought it about; None takes one out."""
    entry = entry_of(lines, kind)["entry"]
    for holder in (entry["data"], entry["command"]):
        holder.update(members)
        for name in [name for name, value in members.items() if value is None]:
            del holder[name]


def _cut(lines: list[Line], entries: int) -> None:
    """The record ends with this entry, and names no secret."""
    lines[0].pop("secret", None)
    lines[entries + 1 :] = [{}]


FORGED: dict[str, Callable[[list[Line]], None]] = {
    "another seed": lambda lines: _both(lines, "game_created", dealing={"version": 2, "seed": "spring-2"}),
    "no round": lambda lines: _both(lines, "game_created", dealing=None),
    "a seat's seed": lambda lines: _both(lines, "seat_taken", seed="mine"),
    "an unknown version": lambda lines: _both(
        lines, "game_created", dealing={"version": 3, "seed": "spring-1"}
    ),
    "version 1 by name": lambda lines: _both(
        lines, "game_created", dealing={"version": 1, "seed": "spring-1"}
    ),
    "no seed": lambda lines: _both(lines, "game_created", dealing={"version": 2, "seed": ""}),
    "a dealing with more in it": lambda lines: _both(
        lines, "game_created", dealing={"version": 2, "seed": "spring-1", "tables": 6}
    ),
    "cut off before the dealer was called": lambda lines: _cut(lines, len(CLOSED.log) - 1),
    "cut off before a shuffle": lambda lines: _cut(lines, _version(OPEN, "pile_shuffled") - 1),
    "closed, with the secret in its header": lambda lines: lines.__delitem__(len(OPEN.log)),
}


@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
@pytest.mark.parametrize("what", FORGED)
def test_what_is_changed_and_linked_anew_is_refused(
    second_verifier: SecondVerifier, what: str, viewer: int
) -> None:
    """Whatever it says of the round, and wherever it ends."""
    lines = parsed(OPEN.record(viewer))
    FORGED[what](lines)
    try:
        record = resettled(lines)
    except UndecodableEvent:
        record = relinked(lines)

    assert findings_in(second_verifier, record)


def test_an_unknown_dealing_is_named() -> None:
    """Whoever meets it reads what is known here."""
    lines = parsed(OPEN.record(PUBLIC))
    FORGED["an unknown version"](lines)
    (finding,) = verify_lines(resettled(lines)).findings

    assert (finding.check, finding.version) == ("pinned", 1)
    assert "no dealing version 3 here" in finding.reason


def test_a_game_of_its_own_cannot_end_without_its_secret(second_verifier: SecondVerifier) -> None:
    """Only a round has a reason to keep it closed."""
    game = closed_table("table-1", 1, dealing=None)
    lines = parsed(game.record())
    _cut(lines, len(game.log) - 1)

    assert findings_in(second_verifier, resettled(lines)) == {("end", len(game.log))}
