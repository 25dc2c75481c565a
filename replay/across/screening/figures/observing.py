"""Reading one game for the screens: from its entries to figures for every two seats."""

from collections.abc import Iterator, Sequence
from typing import Final

from events import domain_events as e
from events.log.actors import actor_number
from events.rules.interventions.ending import ABANDONED, CLOSING_REASONS, END_KINDS
from events.rules.table.state import GameState, OpenOffer, Seat
from replay.across.played_game import PlayedGame, Step
from replay.across.screening.figures.game import (
    BY_CHOICE,
    CENTS,
    GIFT,
    OTHER,
    TRADE,
    LeftOut,
    Moment,
    ScreenedGame,
    Unfit,
    square,
)
from replay.across.screening.figures.value import ValueFunction
from replay.terminal.table_text import is_dated

MOMENTS: Final = 3
"""So many moments of a game are kept of each kind for every two seats: by which a pair stands out is known later."""
_CUT_SHORT: Final = {*END_KINDS, *CLOSING_REASONS, ABANDONED}
_RULED: Final = {"annulled": Unfit.ANNULLED, "awarded": Unfit.RULED, "replaced": Unfit.RULED}
"""What a ruling makes of a game, in it or after its end."""
_FEWEST: Final = 3
"""Seats that a game needs, so that there is somebody to compare with."""
_CHANCE: Final = (e.CardsRevealed, e.CardsDrawn, e.HandDealt, e.PileShuffled, e.StartingSeatChosen)
"""What nobody decides."""

_Effect = tuple[int, int, float]


def observe(played: PlayedGame, included: frozenset[str] = frozenset()) -> ScreenedGame | LeftOut:
    """The figures of a game, or why it is left out; `included` names those of `BY_CHOICE` for which none is.

    A game that says nothing for several reasons is counted where all of them are included, and named with the first
    one that is not. The same record gives the same figures, to the last digit.
    """
    for reason, detail in _find_unfit(played):
        if reason not in BY_CHOICE or reason not in included:
            return LeftOut(played.name, played.game, reason.value, detail)
    return _Observation(played).screened()


def _find_unfit(played: PlayedGame) -> Iterator[tuple[Unfit, str]]:
    """Every reason for which the game says nothing, with what is to be said besides.

    What cannot be chosen otherwise comes first.
    """
    seats, reason = played.end.seats, played.result.reason
    names = [*map(_who, seats)]
    if len(seats) < _FEWEST:
        yield Unfit.NO_THIRD_SEAT, f"{len(seats)} seats"
    if len({*names}) < len(names):
        yield Unfit.SAME_NAMES, ""
    if played.ruled:
        yield _RULED.get(played.ruled, Unfit.RULED), played.ruled
    if reason in _RULED and reason != played.ruled:
        yield _RULED[reason], reason
    if reason in _CUT_SHORT:
        yield Unfit.CUT_SHORT, reason
    left = [str(number) for number, seat in enumerate(seats) if seat.away or seat.returns]
    if left:
        yield Unfit.ABANDONED, f"by seat {', '.join(left)}"


def _who(seat: Seat) -> str:
    """Who sits there: by the id of a player where the seat names one, else by the name at the table."""
    return seat.player or seat.name


class _Observation:
    """One game, as it is read."""

    def __init__(self, played: PlayedGame) -> None:
        self._played = played
        self._worth = ValueFunction(played.rules)
        self._players = played.players
        self._table: list[_Effect] = []
        self._trades: list[_Effect] = []
        self._gifts: list[_Effect] = []
        self._refusals: list[_Effect] = []
        self._moments: list[Moment] = []

    def screened(self) -> ScreenedGame:
        """Read it to its end."""
        before: GameState | None = None
        values: tuple[float, ...] = ()
        for step in self._played.steps:
            if not step.in_effect:
                continue
            after = self._values(step.after, before, values)
            if values and after and not isinstance(step.event, e.GameRewound):
                self._weigh(step, tuple(b - a for a, b in zip(values, after, strict=True)))
            before, values = step.after, after
        return ScreenedGame(
            game=self._played.game,
            source=self._played.name,
            system=self._played.system,
            players=tuple(map(_who, self._played.end.seats)),
            results=_results(self._played),
            table=square(self._players, self._table),
            trades=square(self._players, self._trades),
            gifts=square(self._players, self._gifts),
            refusals=square(self._players, self._refusals),
            moments=tuple(choose_moments(self._moments)),
            ended=_ended(self._played),
        )

    def _values(
        self, state: GameState, before: GameState | None, values: tuple[float, ...]
    ) -> tuple[float, ...]:
        """What lies before each seat is worth; a seat before which nothing has changed is not valued anew."""
        if state.status != "running":
            return ()
        same = (
            before is not None
            and before.revealed is state.revealed
            and (before.active, before.turn) == (state.active, state.turn)
        )
        return tuple(
            values[seat]
            if same and values and before is not None and before.seats[seat] is state.seats[seat]
            else self._worth.value(self._worth.holding(state, seat))
            for seat in range(self._players)
        )

    def _weigh(self, step: Step, changes: tuple[float, ...]) -> None:
        event, actor = step.event, actor_number(step.actor)
        match event:
            case e.TradeMade():
                self._weigh_trade(step.version, event, changes)
            case e.OfferDeclined() if actor == event.seat:
                self._weigh_refusal(event, step.before)
            case _ if actor >= 0 and not _happens_by_itself(event):
                effects = [(actor, seat, change) for seat, change in enumerate(changes) if change]
                self._table += effects
                self._moments += [
                    Moment(step.version, OTHER, (actor, seat), change, -changes[actor])
                    for _, seat, change in effects
                    if seat != actor and change > 0
                ]

    def _weigh_trade(self, version: int, event: e.TradeMade, changes: tuple[float, ...]) -> None:
        """Each side has decided what the other one had of it."""
        one, other = event.active, event.partner
        effects = [(one, other, changes[other]), (other, one, changes[one])]
        self._table += effects
        given = not (event.active_cards and event.partner_cards)
        (self._gifts if given else self._trades).extend(effects)
        giver, taker = (one, other) if changes[other] >= changes[one] else (other, one)
        self._moments.append(
            Moment(version, GIFT if given else TRADE, (giver, taker), changes[taker], -changes[giver])
        )

    def _weigh_refusal(self, event: e.OfferDeclined, before: GameState) -> None:
        """What an offer would have brought to the seat that declines it, where it could have paid."""
        offer = next((each for each in before.offers if each.number == event.offer), None)
        gained = 0.0 if offer is None else self._gain(offer, event.seat, before)
        if offer is not None and gained > 0:
            self._refusals.append((event.seat, offer.seat, gained))

    def _gain(self, offer: OpenOffer, seat: int, state: GameState) -> float:
        revealed = dict(state.revealed)
        gets = (*offer.hand_cards, *(revealed[each] for each in offer.revealed if each in revealed))
        wanted = [name for name, count in offer.want.items() for _ in range(count)]
        wanted += [revealed[each] for each in offer.want_revealed if each in revealed]
        worth, holding = self._worth, self._worth.holding(state, seat)
        after = holding.after_trade(worth.varieties(gets), worth.varieties(wanted))
        return 0.0 if after is None else worth.value(after) - worth.value(holding)


def _happens_by_itself(event: e.DomainEvent) -> bool:
    """Whether nobody decided it: chance, and the harvest at the end of the game."""
    return isinstance(event, _CHANCE) or (isinstance(event, e.FieldHarvested) and event.final)


def _results(played: PlayedGame) -> tuple[float, ...]:
    """What each seat earned, in coins, less the mean of the table."""
    scores, unit = played.result.scores, CENTS if played.result.unit == "cents" else 1
    mean = sum(scores) / len(scores) / unit
    return tuple(score / unit - mean for score in scores)


def _ended(played: PlayedGame) -> int:
    """When the game ended; 0 where no clock saw it."""
    at = played.entries[-1].at
    return at if is_dated(at) else 0


def choose_moments(moments: Sequence[Moment]) -> Iterator[Moment]:
    """The moments by which most was done, some of each kind for every two seats, in the order of the game."""
    left: dict[tuple[str, int, int], int] = {}
    kept = []
    for each in sorted(moments, key=lambda moment: (-moment.coins, moment.version)):
        key = each.kind, min(each.seats), max(each.seats)
        left[key] = left.get(key, MOMENTS) - 1
        if left[key] >= 0:
            kept.append(each)
    yield from sorted(kept, key=lambda moment: moment.version)
