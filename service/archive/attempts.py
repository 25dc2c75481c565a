"""One game after the other: what fails is told and the next one is tried, until the archive or the store is away."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from events.store.errors import GameNotFound, StoreDamaged, StoreRefused, StoreUnavailable
from service.archive.archiving import NotArchived, Outcome

MOST_IN_A_ROW: Final = 3
"""So many games in a row that failed because archive or store are away, or full, end a run."""
FAILED: Final = "failed"
NOT_TRIED: Final = "not tried"


def attempt_each(games: Iterable[str], work: Callable[[str], Outcome]) -> Iterator[Outcome]:
    """What became of each of these games; nothing is raised for one of them."""
    in_a_row = 0
    for game in games:
        if in_a_row == MOST_IN_A_ROW:
            yield Outcome(game, NOT_TRIED, "the games before it failed, see there")
            continue
        try:
            outcome = work(game)
        except (NotArchived, GameNotFound, StoreDamaged) as error:
            outcome, in_a_row = Outcome(game, FAILED, str(error)), 0
        except (StoreUnavailable, StoreRefused) as error:
            outcome, in_a_row = Outcome(game, FAILED, str(error)), in_a_row + 1
        else:
            in_a_row = 0
        yield outcome
