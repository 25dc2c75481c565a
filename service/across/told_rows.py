"""The rows of one game in one table of the dataset, made by a process that does other work besides."""

from collections.abc import Callable
from typing import Any

from replay.across.dataset.columns import Table
from replay.across.dataset.names import Names
from replay.across.dataset.told_game import ToldGame
from replay.across.left import Left, Reason
from replay.across.reading import read_game
from service.across.opened_store import OpenedStore
from service.storage.store import Store


def tell_rows(
    store: Store,
    game: str,
    table: Table,
    leave_out: frozenset[Reason],
    after_each: Callable[[int], None],
) -> list[dict[str, Any]] | Left:
    """The rows of a finished game, by column, or why there are none; moments are milliseconds since the epoch.

    The game is verified first, as everywhere where many games are read.

    Args:
        store: where the game is.
        game: its id.
        table: the table that is asked for.
        leave_out: the reasons for which games that could be taken are left out.
        after_each: is called after each small piece of work, so that others have their turn.

    Raises:
        StoreUnavailable
    """
    played = read_game(OpenedStore(store, after_each), game, leave_out)
    if isinstance(played, Left):
        return played
    columns = [column.name for column in table.columns]
    rows = []
    for number, row in enumerate(table.rows(ToldGame(played, Names())), 1):
        rows.append(dict(zip(columns, row, strict=True)))
        after_each(number)
    return rows
