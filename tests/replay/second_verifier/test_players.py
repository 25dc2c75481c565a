"""Records whose seats name players: both verifiers read them, and hold the event against its command."""

import random

from events import commands as c
from events.game.table import new_table
from events.log.disclosure import ALL, PUBLIC
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, altered, entry_of
from tests.support.recorded_games import RecordedGame, play_on
from tests.support.second_verifier import SecondVerifier, check_agreement, second_verifier

__all__ = ["second_verifier"]
PLAYERS = ("acme:ada", "acme:u-4711", "other.club:7~x")


def game_of_players() -> RecordedGame:
    """A whole game of three players."""
    system = system_named("bean-duel")
    catalogue = shipped_catalogue(system.catalogue)
    table, log = new_table("players", system.key, 2, options={}, catalogue=catalogue, secret="5a" * 32, at=1)
    for seat in range(2):
        taken = c.TakeSeat(seat, f"Player {seat + 1}", "human", player=PLAYERS[seat])
        table, entries = table.submit(HOST, taken, 2)
        log += entries
    return RecordedGame(play_on(table, log, random.Random(1), 2, None), tuple(log))


def _in_the_event_alone(lines: list[Line]) -> None:
    entry_of(lines, "seat_taken", 0)["entry"]["data"]["player"] = "acme:eve"


def test_both_verify_a_game_of_players_and_refuse_another_one_in_the_event(
    second_verifier: SecondVerifier,
) -> None:
    """Of whatever scope: what the command says of the player is what the event has to say."""
    game = game_of_players()
    for viewer in (ALL, PUBLIC):
        record = game.record(viewer)
        assert b'"player":"acme:ada"' in b"".join(record)
        check_agreement(verify_lines(record), second_verifier.report(record))
        forged = altered(record, _in_the_event_alone)
        first, second = verify_lines(forged), second_verifier.report(forged)
        assert not first.ok
        assert [each["check"] for each in second["findings"]] == ["commands"]
