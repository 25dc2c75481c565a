"""Recorded whole games that somebody leaves: gone on with by a bot, come back to, or ended before their time."""

from events import commands as c
from events.game.table import new_table
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from tests.support.recorded_games import BEGINNING, RecordedGame, recorded_game
from tests.support.ruled_games import MOST_OFFERS, STRETCH, Course

EARLY_ENDS = ("abandoned", "drawn", "called_off", "untouched", "never_begun")
"""How a game ends before its time, where no ruling ends it."""


def left_record(seed: int, system: str, players: int) -> RecordedGame:
    """A game in which seat 0 leaves, comes back and leaves again, and goes on to its end without it.

    The end is offered and declined, and the game goes back over the leaving, which it does not take back.
    """
    game = _among_people(seed, system, players)
    game.send(0, c.Resign())
    game.play()
    game.send(0, c.ComeBack())
    game.play()
    game.send(1, c.OfferEnd("drawn"))
    game.play(5)
    game.send(0, c.DeclineEnd())
    before = game.version_before()
    game.send(0, c.Resign())
    game.send(1, c.AskTakeBack(before, seen_confirmed=True))
    for seat in range(2, players):
        game.send(seat, c.AgreeTakeBack())
    game.play(None)
    return RecordedGame(game.table, tuple(game.log))


def early_record(seed: int, system: str, players: int, reason: str) -> RecordedGame:
    """Return a game that ends before its time for this reason; one that players end together has no bot."""
    if reason == "never_begun":
        return _never_begun(seed, system, players)
    is_together = reason in {"drawn", "called_off"}
    game = _among_people(seed, system, players) if is_together else Course(seed, system, players)
    game.play()
    people = range(players)
    if reason == "abandoned":
        for seat in people[:-1]:
            game.send(seat, c.Resign())
    elif reason == "untouched":
        game.send(HOST, c.CloseGame(reason))
    elif reason == "drawn":
        game.send(0, c.OfferEnd(reason))
        for seat in people[1:]:
            game.send(seat, c.AcceptEnd())
    else:
        game.send(people[-1], c.OfferEnd(reason))
        for seat in people[:-1]:
            game.send(seat, c.Resign())
    return RecordedGame(game.table, tuple(game.log))


def _among_people(seed: int, system: str, players: int) -> Course:
    begun = recorded_game(seed, players, (), MOST_OFFERS, 3 * STRETCH, system=system, bot=False)
    return Course(seed, system, players, begun)


def _never_begun(seed: int, system: str, players: int) -> RecordedGame:
    catalogue = shipped_catalogue(system_named(system).catalogue)
    secret = f"{seed:064x}"
    table, log = new_table(
        f"game-{seed}", system, players, options={}, catalogue=catalogue, secret=secret, at=BEGINNING
    )
    for later, command in enumerate((c.TakeSeat(0, "Ann", "human"), c.CloseGame("never_begun")), 1):
        table, entries = table.submit(HOST, command, BEGINNING + 60_000 * later)
        log += entries
    return RecordedGame(table, tuple(log))
