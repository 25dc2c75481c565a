"""What happens in `ladybohn-expansion` only."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling


def _fan_laid_out(tell: Telling, _state: GameState, event: e.FanLaidOut) -> str:
    return tell.event("fan_laid_out", fan=event.fan, cards=tell.cards(event.cards))


def _hand_swapped(tell: Telling, state: GameState, event: e.HandSwapped) -> str:
    player, hand, cards = tell.player(state, event.seat), tell.cards(event.hand), tell.cards(event.cards)
    return tell.event("hand_swapped", player=player, hand=hand, fan=event.fan, cards=cards)


def _revealed_put_on_fan(tell: Telling, _state: GameState, event: e.RevealedPutOnFan) -> str:
    return tell.event("revealed_put_on_fan", card=tell.one(event.card), fan=event.fan)


def _fan_overflowed(tell: Telling, _state: GameState, event: e.FanOverflowed) -> str:
    return tell.event("fan_overflowed", fan=event.fan, cards=tell.cards(event.cards))


def _field_rotated(tell: Telling, state: GameState, event: e.FieldRotated) -> str:
    player, card = tell.player(state, event.seat), tell.one(event.card)
    return tell.event("field_rotated", player=player, card=card, field=event.field)


def _third_field_won(tell: Telling, state: GameState, event: e.ThirdFieldWon) -> str:
    return tell.event("third_field_won", player=tell.player(state, event.seat))


def _quota_field_taken(tell: Telling, state: GameState, event: e.QuotaFieldTaken) -> str:
    return tell.event("quota_field_taken", player=tell.player(state, event.seat))


def _levy_earned(tell: Telling, state: GameState, event: e.LevyEarned) -> str:
    return tell.event("levy_earned", player=tell.player(state, event.seat))


def _levy_promised(tell: Telling, state: GameState, event: e.LevyPromised) -> str:
    player, partner = tell.player(state, event.seat), tell.player(state, event.to)
    return tell.event("levy_promised", player=player, partner=partner)


def _coins_levied(tell: Telling, state: GameState, event: e.CoinsLevied) -> str:
    paid = [
        tell.part("levied", card=tell.one(card), player=tell.player(state, seat))
        for seat, card in zip(event.payers, event.coins, strict=False)
    ]
    key = f"coins_levied{'' if paid else '.none'}{'.sparing' if event.spared else ''}"
    player, spared = tell.player(state, event.seat), tell.players(state, event.spared)
    told = tell.event(key, player=player, coins=tell.listed(paid), spared=spared)
    return tell.event("at_the_end", sentence=told) if event.final else told


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.FanLaidOut: _fan_laid_out,
        e.HandSwapped: _hand_swapped,
        e.RevealedPutOnFan: _revealed_put_on_fan,
        e.FanOverflowed: _fan_overflowed,
        e.FieldRotated: _field_rotated,
        e.ThirdFieldWon: _third_field_won,
        e.QuotaFieldTaken: _quota_field_taken,
        e.LevyEarned: _levy_earned,
        e.LevyPromised: _levy_promised,
        e.CoinsLevied: _coins_levied,
    }
)
"""One function per event type."""
