"""What is known beside the records: rulings after the end, open disputes, and which ids mean the same player.

No record tells it. A service publishes what it went by, and with that everybody comes to its figures.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from replay.ratings.finished_game import FinishedGame, RatedSeat


class RuledAfter(msgspec.Struct, frozen=True):
    """What a ruling after the end made of a result: `annulled`, `awarded` or `replaced`."""

    kind: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


class Inputs(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is known beside the records.

    Attributes:
        ruled: by game, the result that a ruling gave it after its end.
        disputed: games about whose result a case is open: they count when it has ended.
        merged: by id, the player that it means.
    """

    ruled: Mapping[str, RuledAfter] = {}
    disputed: tuple[str, ...] = ()
    merged: Mapping[str, str] = {}

    def whom(self, who: str) -> str:
        """The player whom an id means, along all merges."""
        seen = {who}
        while (into := self.merged.get(who)) is not None and into not in seen:
            seen.add(into)
            who = into
        return who

    def applied(self, game: FinishedGame) -> FinishedGame | None:
        """The game as it counts; None where it does not."""
        ruled = self.ruled.get(game.game)
        if game.game in self.disputed or (ruled is not None and ruled.kind == "annulled"):
            return None
        seats = tuple(replace(seat, who=self.whom(seat.who)) for seat in game.seats)
        if ruled is None:
            return replace(game, seats=seats)
        judged = tuple(_judged(number, seat, ruled) for number, seat in enumerate(seats))
        return replace(game, seats=judged, equal=False)


NOTHING_BESIDE = Inputs()
"""Nothing is known beside the records."""


def _judged(number: int, seat: RatedSeat, ruled: RuledAfter) -> RatedSeat:
    """A seat as a ruling has it: winners are those it names, and what it gives no score is left as it is."""
    score = ruled.scores[number] if number < len(ruled.scores) else seat.score
    return replace(seat, won=number in ruled.winners, score=score)
