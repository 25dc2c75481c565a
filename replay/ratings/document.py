"""Boards as JSON, the same bytes wherever they are made, and for people."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from replay.across.left import Left, count_left
from replay.platform.safe_text import safe
from replay.ratings.model import UNIT, VERSION
from replay.ratings.pool import Change, Pool, PoolName, Standing

LONGEST_ID = 100


def board_row(who: str, standing: Standing) -> dict[str, Any]:
    """One line of a board; figures are whole ten-thousandths."""
    figure = standing.figure
    return {
        "player": who,
        "rating": figure.rating,
        "mu": figure.mu,
        "sigma": figure.sigma,
        "games": standing.games,
        "wins": standing.wins,
        "last": standing.last,
    }


def seat_row(place: str, standing: Standing) -> dict[str, Any]:
    """What a place in the order of play is worth, as measured so far."""
    players, number = place.split("/")
    return {
        "players": int(players),
        "place": int(number),
        "mu": standing.figure.mu,
        "sigma": standing.figure.sigma,
        "games": standing.games,
        "wins": standing.wins,
    }


def pool_document(name: PoolName, pool: Pool) -> dict[str, Any]:
    """A pool whole."""
    return {
        **name._asdict(),
        "ratings_version": VERSION,
        "players": [board_row(*each) for each in pool.board()],
        "seats": [seat_row(*each) for each in sorted(pool.seats.items())],
    }


def change_row(change: Change) -> dict[str, Any]:
    """What a game has changed of somebody's figures: `mu` and `sigma` before and after it."""
    return {"game": change.game, "ended": change.ended, "before": change.before, "after": change.after}


def document(pools: Mapping[PoolName, Pool], left: Iterable[Left]) -> dict[str, Any]:
    """All pools, and which games were left out."""
    found = list(left)
    return {
        "pools": [pool_document(name, pools[name]) for name in sorted(pools)],
        "left_out": [
            {"name": each.name, "game": each.game, "reason": each.reason.value, "detail": each.detail}
            for each in found
        ],
        "left": count_left(found),
    }


def lines(
    pools: Mapping[PoolName, Pool], uncounted: Mapping[str, str], left: Iterable[Left]
) -> Iterator[str]:
    """The boards for people, and every game that does not count with the reason."""
    for name in sorted(pools):
        pool = pools[name]
        which = f"{name.system} (version {name.system_version}), {name.pool}, {name.time}"
        yield f"{which}: {len(pool.standings)} players"
        for number, (who, standing) in enumerate(pool.board(), 1):
            figure = standing.figure
            yield (
                f"{number:>5}  {safe(who, LONGEST_ID):<32} {figure.rating / UNIT:8.2f}"
                f"  = {figure.mu / UNIT:.2f} - 3 x {figure.sigma / UNIT:.2f}"
                f"  {standing.games} games, {standing.wins} won"
            )
        for place, standing in sorted(pool.seats.items()):
            players, number = map(int, place.split("/"))
            figure = standing.figure
            yield (
                f"       of {players}, place {number + 1} in the order of play: {figure.mu / UNIT:+.2f}"
                f" ± {1.96 * figure.sigma / UNIT:.2f}, {standing.games} games"
            )
        yield ""
    for game, reason in sorted(uncounted.items()):
        yield f"{safe(game, LONGEST_ID)} does not count: {reason}"
    for each in left:
        yield f"{safe(each.name, 200)} was left out: {safe(each.detail, 300)}"
