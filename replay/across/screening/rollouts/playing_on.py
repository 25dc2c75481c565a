"""What accepting an offer changed: the game played on by bots from there, with the trade and with a refusal.

A rollout begins on the table before the trade. The cards that are still to be drawn are shuffled; then the offer is
accepted as it was, and in a second branch refused instead, with the same cards and the same bots. What a seat has at
the end of the one above the other is what the trade was worth to it in this rollout. Nothing is seen but the record,
and the same seed gives the same rollouts.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import Final

import msgspec.structs

from events.commands import Accept, Command, Decline
from events.game.dealing import shuffled
from events.log.actors import actor_number
from replay.across.intervals import student
from replay.across.played_game import PlayedGame
from replay.across.screening.figures.game import CENTS, Rollouts
from replay.branches import BranchError, Recorded, find_origin, new_branch, play_bots
from replay.branches.origin import Origin

BOT: Final = "greedy"
"""Who plays on every seat."""
FEWEST: Final = 2
MOST: Final = 100
"""Rollouts of a moment: fewer say nothing of how much they vary, and more take long."""
DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class PlayOn:
    """The function of one game that plays on from its moments, for `map_games`.

    Attributes:
        moments: for each game the versions of trades, with who gave more and who had more of it.
        games: how often to play on from each, `MOST` at most.
        seed: the same seed gives the same rollouts.
    """

    moments: Mapping[str, tuple[tuple[int, tuple[int, int]], ...]]
    games: int
    seed: str

    def __call__(self, played: PlayedGame) -> dict[int, Rollouts]:
        """The rollouts of a game's moments, by version; a moment that is no accepted offer has none."""
        log = [
            Recorded(each.version, each.hash, actor_number(each.actor), each.event, each.command)
            for each in played.entries
        ]
        found = {}
        for version, seats in self.moments.get(played.game, ()):
            rollouts = self._roll_out(played, log, version, seats)
            if rollouts is not None:
                found[version] = rollouts
        return found

    def _roll_out(
        self, played: PlayedGame, log: Sequence[Recorded], version: int, seats: tuple[int, int]
    ) -> Rollouts | None:
        entry = log[version - 1]
        if not isinstance(entry.command, Accept):
            return None
        origin = find_origin(played.rules, log, version - 1)
        if origin.version != version - 1:
            return None
        giver, taker = seats
        unit = CENTS if played.result.unit == "cents" else 1
        gained: list[tuple[float, float]] = []
        for number in range(1, min(self.games, MOST) + 1):
            seed = hashlib.sha256(f"{self.seed}/{version}/{number}".encode()).hexdigest()[:32]
            kept = _finish(origin, seed, entry.actor, entry.command)
            refused = _finish(origin, seed, entry.actor, Decline(entry.command.offer))
            if kept is not None and refused is not None:
                gained.append(((kept[taker] - refused[taker]) / unit, (kept[giver] - refused[giver]) / unit))
        return sum_up(gained)


def _finish(origin: Origin, seed: str, actor: int, command: Command) -> tuple[int, ...] | None:
    """The scores at the end, where a seat does this and bots play on; None where that leads to no end."""
    pile = shuffled(seed.encode(), "rollout", origin.state.draw_pile)
    dealt = replace(origin, state=msgspec.structs.replace(origin.state, draw_pile=pile))
    try:
        played = play_bots(new_branch(dealt, seed).play(actor, command), (BOT,))
    except BranchError:
        return None
    result = played.branch.position.state.result
    return None if result is None else result.scores


def sum_up(gained: Sequence[tuple[float, float]]) -> Rollouts | None:
    """The means of what who had more gained, with an interval, and of what who gave did; None of too few."""
    if len(gained) < FEWEST:
        return None
    taken, given = [each[0] for each in gained], [each[1] for each in gained]
    mean = fmean(taken)
    wide = student(len(taken) - 1) * stdev(taken) / len(taken) ** 0.5
    low, high = round(mean - wide, DIGITS), round(mean + wide, DIGITS)
    return Rollouts(len(gained), round(mean, DIGITS), (low, high), round(-fmean(given), DIGITS))
