"""What an entry says that follows from the dealer's secret, as it is kept until the secret is known."""

from collections.abc import Callable
from typing import Any

import msgspec

from events import domain_events as e
from events.log.codec import command_members
from events.log.disclosure import Form
from events.log.redacted import data_in
from events.rules.definition.rule_system import Rules
from events.rules.table.addition import BONUS_PILE, DRAW_PILE
from events.rules.table.piles import cards_to_shuffle
from events.rules.table.state import GameState


class Salts(msgspec.Struct, frozen=True):
    """The salts of an entry, by path."""

    version: int
    salts: dict[str, str]


class Start(msgspec.Struct, frozen=True):
    """A starting seat that was drawn."""

    version: int
    seat: int
    players: int


class Shuffle(msgspec.Struct, frozen=True):
    """A shuffle as recorded; `cards` are those that were shuffled, in their order before."""

    version: int
    pile: str
    purpose: str
    cards: tuple[e.Card, ...]
    order: list[Any]
    """As recorded; each card open or as its commitment."""
    command_order: Any
    """The order in the dealer's command, open or as its commitment."""
    anew: bool
    """Whether it is what was left of the pile that was shuffled, after the game went back."""


class Taken(msgspec.Struct, frozen=True):
    """Cards taken from a pile, each open or as its commitment; they become these coins where nobody saw them."""

    version: int
    pile: str
    cards: list[Any]
    name: str = "cards"
    """The event's field that holds them."""
    coins: tuple[tuple[int, int], ...] = ()
    """Seat and place in the coin stack, for each card."""


class Shown(msgspec.Struct, frozen=True):
    """Coins that nobody had seen, shown now: seat and place in the coin stack, with the card."""

    version: int
    coins: tuple[tuple[tuple[int, int], e.Card], ...]


class Stop(msgspec.Struct, frozen=True):
    """A version that the game can go back to."""

    version: int


class Back(msgspec.Struct, frozen=True):
    """The game went back to a version."""

    version: int
    to: int


Claim = Stop | Back | Salts | Start | Shuffle | Taken | Shown
"""One thing that follows from the secret."""


def _command_order(form: Form) -> Any:
    command = form.entry.get("command")
    return command_members(command).get("order") if command is not None else None


def _claim_shuffle(rules: Rules, before: GameState, event: e.PileShuffled, form: Form) -> Shuffle:
    return Shuffle(
        form.entry["version"],
        event.pile,
        f"{event.pile}/{event.number}",
        cards_to_shuffle(rules, before),
        data_in(form.entry)["order"],
        _command_order(form),
        before.redeal[:1] == (event.pile,),
    )


def _claim_back(_rules: Rules, _before: GameState, event: e.GameRewound, form: Form) -> Back:
    return Back(form.entry["version"], event.to_version)


def _claim_drawn(_rules: Rules, _before: GameState, _event: e.DomainEvent, form: Form) -> Taken:
    return Taken(form.entry["version"], DRAW_PILE, data_in(form.entry)["cards"])


def _claim_bonus_drawn(_rules: Rules, _before: GameState, _event: e.BonusDrawn, form: Form) -> Taken:
    return Taken(form.entry["version"], BONUS_PILE, data_in(form.entry)["cards"])


def _claim_paid(_rules: Rules, before: GameState, event: e.FieldPaidFromPiles, form: Form) -> Taken:
    lowest = len(before.seats[event.seat].coins) + len(event.from_discard_pile)
    coins = tuple((event.seat, lowest + place) for place in range(len(event.from_draw_pile)))
    cards = data_in(form.entry).get("from_draw_pile", [])
    return Taken(form.entry["version"], DRAW_PILE, cards, "from_draw_pile", coins)


def _claim_shown(_rules: Rules, _before: GameState, event: e.CoinsShown, form: Form) -> Shown:
    places = ((event.seat, place) for place in event.places)
    return Shown(form.entry["version"], tuple(zip(places, event.cards, strict=True)))


def _claim_start(rules: Rules, _before: GameState, event: e.StartingSeatChosen, form: Form) -> Start | None:
    if rules.options.get("start_seat") != "random":
        return None
    return Start(form.entry["version"], event.seat, rules.players)


WHAT_FOLLOWS: dict[type[e.DomainEvent], Callable[[Rules, GameState, Any, Form], Claim | None]] = {
    e.PileShuffled: _claim_shuffle,
    e.GameRewound: _claim_back,
    e.HandDealt: _claim_drawn,
    e.CardsDrawn: _claim_drawn,
    e.CardsRevealed: _claim_drawn,
    e.CoinsDealt: _claim_drawn,
    e.FanLaidOut: _claim_drawn,
    e.BonusDrawn: _claim_bonus_drawn,
    e.FieldPaidFromPiles: _claim_paid,
    e.CoinsShown: _claim_shown,
    e.StartingSeatChosen: _claim_start,
}
"""What an event says that follows from the secret, besides its salts."""
