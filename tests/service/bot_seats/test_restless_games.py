"""Whose turn it is among the games of bots: one whose bot thinks does not hold up the others."""

from events.rules.table.state import GameState, Seat
from service.bot_seats.restless_games import THINKING_SECONDS, RestlessGames

THINKING = GameState(seats=(Seat(kind="human"), Seat(kind="bot", bot="lookahead")))
QUICK = GameState(seats=(Seat(kind="bot", bot="greedy"), Seat(kind="bot", bot="random")))


def test_thinking_games_come_last_and_take_turns() -> None:
    """Quick games have their turn each time; of those that think only as many as there is time for."""
    now = 0.0
    games = RestlessGames(lambda: now)
    games.add("slow 1", "quick 1", "slow 2", "quick 2")
    games.look_at("slow 1", THINKING)
    games.look_at("slow 2", THINKING)
    games.look_at("quick 1", QUICK)
    seen = []
    for _ in range(3):
        for game in games.in_turn():
            seen.append(game)
            now += THINKING_SECONDS if game.startswith("slow") else 0.0
    assert seen == [
        "quick 1",
        "quick 2",
        "slow 1",
        "quick 1",
        "quick 2",
        "slow 2",
        "quick 1",
        "quick 2",
        "slow 1",
    ]


def test_a_settled_game_is_looked_at_no_more() -> None:
    """Until something happens in it; then it is quick until its bot shows that it thinks."""
    games = RestlessGames()
    games.add("game")
    games.look_at("game", THINKING)
    assert list(games.commands_at_once("game", 20)) == [0]
    games.settle("game")
    assert list(games) == list(games.in_turn()) == []
    games.add("game")
    assert list(games.in_turn()) == ["game"]
    assert len(list(games.commands_at_once("game", 20))) == 20
