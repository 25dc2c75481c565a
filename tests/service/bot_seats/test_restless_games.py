"""Whose turn it is among the games of bots: one whose bot thinks does not hold up the others."""

from events.rules.table.state import GameState, Seat
from service.bot_seats.bot_players import BotPlayers
from service.bot_seats.restless_games import THINKING_SECONDS, RestlessGames
from tests.service.in_process import InProcess

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


def test_a_bot_that_thinks_plays_a_move_at_a_time(api: InProcess) -> None:
    """Each turn of its game adds the events of one command, whichever of its bots sends it."""
    seats = [
        {"name": name, "kind": "bot", "bot": bot} for name, bot in (("Lo", "lookahead"), ("Gr", "greedy"))
    ]
    game = api.create(seats, system="bean-duel")["game"]
    players = BotPlayers(api.store)
    players.begin(range(api.store.partitions))
    players._restless.add(game)  # noqa: SLF001 - as a feed would say it
    for _ in range(4):
        players.play()
    entries = api.store.read(game, 0, 100)
    assert [entry.actor for entry in entries if entry.command and entry.actor.startswith("seat")] == [
        "seat:0"
    ] * 4
