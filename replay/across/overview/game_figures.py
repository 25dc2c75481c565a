"""What one game adds to an overview: small, whatever the game's length."""

from collections import Counter

import msgspec

from events import domain_events as e
from events.domain_events import Card
from events.rules.table.waiting import waiting_for
from replay.across.played_game import PlayedGame, Step
from replay.terminal.table_text import is_dated

STRETCHES = (1, 5, 15, 60, 300, 3600, 86_400)
"""Seconds up to which waits are counted together; what is longer makes a class of its own."""


class SeatFigures(msgspec.Struct, frozen=True):
    """One seat.

    Attributes:
        place: its place in the order of play, 0 for who began.
        kind: `human`, `program` or `bot`.
        bot: the bot that took it; empty for others.
        won: whether it won, alone or with others.
        score: its score in the game's unit; None where there is none.
        left: whether who took it had left at the end.
    """

    place: int
    kind: str
    bot: str
    won: bool
    score: int | None
    left: bool


class WaitFigures(msgspec.Struct):
    """How long seats of a kind were waited for alone in a phase: how often, seconds in all, and by length."""

    waits: int = 0
    seconds: float = 0.0
    by_length: list[int] = msgspec.field(default_factory=lambda: [0] * (len(STRETCHES) + 1))

    def add(self, seconds: float) -> None:
        """Count one wait."""
        self.waits += 1
        self.seconds += seconds
        self.by_length[sum(seconds > longest for longest in STRETCHES)] += 1

    def join(self, other: "WaitFigures") -> None:
        """Count those of other games, too."""
        self.waits += other.waits
        self.seconds += other.seconds
        self.by_length = [ours + theirs for ours, theirs in zip(self.by_length, other.by_length, strict=True)]


class GameFigures(msgspec.Struct, frozen=True):
    """One game.

    Attributes:
        system, players, reason: what was played by how many, and why it ended.
        turns: how many turns were begun that count.
        minutes: how long it was played; None where no clock saw it, or it never began.
        seats: its seats, where it began.
        swaps: how often one card of a variety went for one of another.
        gifts: how often a card of a variety was given for nothing.
        offers, accepted: offers that count, and how many became trades.
        waits: by kind of who was waited for, and phase.
        pauses: how often a dispute held it up, by the dispute's reason.
        rulings: rulings that were applied, by kind.
        rewindings: how often it went back.
        expired: how often somebody's time was over.
    """

    system: str
    players: int
    reason: str
    turns: int
    minutes: float | None
    seats: tuple[SeatFigures, ...]
    swaps: dict[tuple[str, str], int]
    gifts: dict[str, int]
    offers: int
    accepted: int
    waits: dict[tuple[str, str], WaitFigures]
    pauses: dict[str, int]
    rulings: dict[str, int]
    rewindings: int
    expired: int


def count_game(played: PlayedGame) -> GameFigures:
    """The figures of a game: the function of one game, for `map_games`."""
    steps = tuple(played.steps)
    swaps, gifts = _traded(played, steps)
    effective = [step.event for step in steps if step.in_effect]
    return GameFigures(
        system=played.system,
        players=played.players,
        reason=played.result.reason,
        turns=played.end.turn,
        minutes=_minutes(steps),
        seats=_seats(played) if played.end.turn else (),
        swaps=swaps,
        gifts=gifts,
        offers=sum(isinstance(event, e.OfferMade) for event in effective),
        accepted=sum(isinstance(event, e.TradeMade) for event in effective),
        waits=_waits(played, steps),
        pauses=dict(Counter(step.event.reason for step in steps if isinstance(step.event, e.GamePaused))),
        rulings=dict(Counter(step.event.kind for step in steps if isinstance(step.event, e.RulingMade))),
        rewindings=len(played.rewindings),
        expired=sum(isinstance(step.event, e.TimeExpired) for step in steps),
    )


def _minutes(steps: tuple[Step, ...]) -> float | None:
    started = next((step.at for step in steps if isinstance(step.event, e.GameStarted)), None)
    ended = next(step.at for step in reversed(steps) if isinstance(step.event, e.GameEnded))
    return None if started is None or not is_dated(ended) else round((ended - started) / 60_000, 6)


def _seats(played: PlayedGame) -> tuple[SeatFigures, ...]:
    end, result = played.end, played.result
    return tuple(
        SeatFigures(
            place=(number - end.start_seat) % played.players,
            kind=seat.away or seat.kind,
            bot="" if seat.away else seat.bot,
            won=number in result.winners,
            score=result.scores[number] if number < len(result.scores) else None,
            left=bool(seat.away),
        )
        for number, seat in enumerate(end.seats)
    )


def _traded(played: PlayedGame, steps: tuple[Step, ...]) -> tuple[dict[tuple[str, str], int], dict[str, int]]:
    """How often one card went for one, and cards for nothing, by variety."""
    varieties = {bean.card: bean.variety for bean in played.header.catalogue.beans}
    swaps, gifts = Counter[tuple[str, str]](), Counter[str]()

    def variety(card: Card) -> str:
        return varieties.get(card, card)

    for step in steps:
        if not step.in_effect:
            continue
        match step.event:
            case e.TradeMade(active_cards=(one,), partner_cards=(other,)):
                swaps[min(variety(one), variety(other)), max(variety(one), variety(other))] += 1
            case (
                e.TradeMade(active_cards=cards, partner_cards=())
                | e.TradeMade(active_cards=(), partner_cards=cards)
            ):
                gifts.update(map(variety, cards))
            case e.GiftGiven(card=card):
                gifts[variety(card)] += 1
    return dict(swaps), dict(gifts)


def _waits(played: PlayedGame, steps: tuple[Step, ...]) -> dict[tuple[str, str], WaitFigures]:
    """For whom the game waited alone until they acted; nothing where no clock saw it."""
    found: dict[tuple[str, str], WaitFigures] = {}
    since = steps[0].at
    for step in steps if is_dated(steps[-1].at) else ():
        if step.command is None or step.actor == "dealer":
            continue
        waited = waiting_for(step.before)
        if len(waited) == 1 and step.actor == f"seat:{waited[0]}" and step.counts:
            seat = played.end.seats[waited[0]]
            place = seat.away or seat.kind, step.before.phase
            found.setdefault(place, WaitFigures()).add((step.at - since) / 1000)
        since = step.at
    return found
