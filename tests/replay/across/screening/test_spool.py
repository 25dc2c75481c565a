"""Games that are kept outside of memory come back as they were."""

from msgspec.structs import replace

from replay.across.screening.figures.spool import ROOM, Spool
from tests.replay.across.screening.made_up_games import made_up_games


def test_games_come_in_the_order_of_their_ids() -> None:
    """As often as one goes through them, two at once too, and with one that was added in between."""
    games = sorted(made_up_games(9, "s"), key=lambda game: game.game)
    spool = Spool(games[:0:-1])
    assert [*spool] == games[1:]
    spool.add(games[0])
    assert len(spool) == len(games)
    assert [*zip(spool, spool, strict=True)] == [*zip(games, games, strict=True)]


def test_more_games_than_memory_is_for_wait_in_a_file() -> None:
    """And are read from there, each as it was."""
    (game,) = made_up_games(1, "s")
    many = [replace(game, game=f"{number:05}", source="x" * 5_000) for number in range(2 * ROOM // 5_000)]
    assert [*Spool(many)] == many
