"""Games that people leave, come back to and end together: every law holds, and both verifiers read them."""

from functools import cache

import pytest

from events.game.folding import Folding
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC
from events.rules.systems.registry import BY_KEY
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.laws.finishing import ended_early
from tests.laws.games import TABLES
from tests.laws.sweep import check
from tests.laws.swept import LEAVE, Game
from tests.support.depth import depth
from tests.support.recorded_games import RecordedGame
from tests.support.second_verifier import SecondVerifier
from tests.support.strategies import Dice, opening, play_on

GAMES = [(system, players, seed) for system, players in TABLES for seed in range(depth(1, 8))]
SWEPT = [(system, players, seed) for system, players in TABLES for seed in range(depth(2, 20))]


@cache
def left_game(system: str, players: int, seed: int) -> RecordedGame:
    """A random game of people, some of whom leave."""
    begun = opening(f"left {system} {players} {seed}", players, {}, system=system)
    dice = Dice(f"left {system} {players} {seed}")
    log, table = list(begun.log), begun.table
    for step in play_on(begun.table, dice, 2 * LEAVE):
        log += step.entries
        table = step.after
    return RecordedGame(table, tuple(log))


@pytest.mark.parametrize(("system", "players", "seed"), SWEPT)
def test_every_law_holds_in_games_that_people_leave(system: str, players: int, seed: int) -> None:
    """Of every system and number of players; some end early, in all the ways that there are for it."""
    assert check(Game(system, players, "leavers", seed)).finding == ""


@pytest.mark.parametrize(("system", "players", "seed"), GAMES)
def test_both_verifiers_read_them_in_every_scope(
    second_verifier: SecondVerifier, system: str, players: int, seed: int
) -> None:
    """And an audit finds that the rules answer every command as they did."""
    game = left_game(system, players, seed)
    for viewer in (ALL, PUBLIC, players - 1):
        record = game.record(viewer)
        first, second = verify_lines(record), second_verifier.report(record)
        assert first.findings == ()
        assert second["findings"] == []
        assert first.head == second["head"]
    assert audit_lines(game.record(ALL)).ok


@pytest.mark.parametrize(("system", "players", "seed"), GAMES)
def test_the_log_alone_tells_who_is_there(system: str, players: int, seed: int) -> None:
    """Folded anew it leads to the same table, and who has left has not won."""
    game, folding = left_game(system, players, seed), Folding()
    for entry in game.log:
        folding.follow(decode_event(entry), begins=bool(entry.command))
    assert folding.state == game.table.state
    result = folding.state.result
    assert result is not None
    away = {seat for seat, player in enumerate(folding.state.seats) if player.away}
    assert not away & {*result.winners}
    assert result.winners or ended_early(folding.state)


def test_in_these_games_somebody_leaves_and_somebody_comes_back() -> None:
    """Else they would show nothing."""
    types = {entry.type for system, players, seed in GAMES for entry in left_game(system, players, seed).log}
    assert types >= {"seat_taken_over", "seat_returned", "end_offered", "end_declined", "game_ended"}
    assert {system for system, _, _ in GAMES} == {*BY_KEY}
