"""What happens around a game: setting up, seats, chance, the end."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.interventions.rewinding import REDEAL
from events.rules.table.state import GameState
from replay.commentary.telling import Telling
from replay.commentary.texts import NAME_LENGTH, make_printable

_SECRET_LENGTH = 64


def _game_created(tell: Telling, _state: GameState, event: e.GameCreated) -> str:
    seats = tell.count("seats", event.players)
    return tell.event("game_created", system=make_printable(event.system, NAME_LENGTH), seats=seats)


def _seat_taken(tell: Telling, state: GameState, event: e.SeatTaken) -> str:
    key = f"seat_taken.{'bot' if event.kind == 'bot' else 'person'}{'.seeded' if event.seed else ''}"
    bot = make_printable(event.bot, NAME_LENGTH)
    return tell.event(key, player=tell.player(state, event.seat), bot=bot, seat=event.seat)


def _game_started(tell: Telling, _state: GameState, event: e.GameStarted) -> str:
    return tell.event("game_started", fields=tell.count("fields", event.fields))


def _starting_seat_chosen(tell: Telling, state: GameState, event: e.StartingSeatChosen) -> str:
    return tell.event("starting_seat_chosen", player=tell.player(state, event.seat))


def _hand_dealt(tell: Telling, state: GameState, event: e.HandDealt) -> str:
    return tell.event("hand_dealt", player=tell.player(state, event.seat), cards=tell.cards(event.cards))


def _dealer_called(tell: Telling, state: GameState, event: e.DealerCalled) -> str:
    if event.task in {"starting_seat", "secret"}:
        return tell.event(f"dealer_called.{event.task}")
    pile = tell.pile(event.pile)
    if event.purpose == REDEAL:
        return tell.event("dealer_called.shuffle.redeal", pile=pile)
    if not event.count:
        return tell.event("dealer_called.shuffle", pile=pile)
    player, cards = tell.player(state, event.seat), tell.count("more_cards", event.count)
    return tell.event("dealer_called.shuffle.owed", pile=pile, player=player, cards=cards)


def _pile_shuffled(tell: Telling, _state: GameState, event: e.PileShuffled) -> str:
    cards = tell.count("cards", len(event.order))
    return tell.event(
        "pile_shuffled", pile=tell.pile(event.pile), time=tell.nth_time(event.number), cards=cards
    )


def _pile_exhausted(tell: Telling, _state: GameState, event: e.PileExhausted) -> str:
    pile = tell.pile(event.pile, "pile as subject")
    return tell.event("pile_exhausted", pile=pile, time=tell.nth_time(event.times))


def _game_ended(tell: Telling, state: GameState, event: e.GameEnded) -> str:
    scores = [
        tell.part("score", player=tell.player(state, seat), score=tell.count(event.unit, score))
        for seat, score in enumerate(event.scores)
    ]
    return tell.event(
        {0: "game_ended.nobody", 1: "game_ended"}.get(len(event.winners), "game_ended.shared"),
        reason=tell.ending(event.reason),
        scores=tell.listed(scores),
        winners=tell.players(state, event.winners),
    )


def _secret_revealed(tell: Telling, _state: GameState, event: e.SecretRevealed) -> str:
    return tell.event("secret_revealed", secret=make_printable(event.secret, _SECRET_LENGTH))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.GameCreated: _game_created,
        e.SeatTaken: _seat_taken,
        e.GameStarted: _game_started,
        e.DealerCalled: _dealer_called,
        e.StartingSeatChosen: _starting_seat_chosen,
        e.PileShuffled: _pile_shuffled,
        e.HandDealt: _hand_dealt,
        e.PileExhausted: _pile_exhausted,
        e.GameEnded: _game_ended,
        e.SecretRevealed: _secret_revealed,
    }
)
"""One function per event type."""
