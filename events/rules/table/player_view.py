"""What one viewer may see of the table, as JSON-ready values.

A viewer is a seat number, or PUBLIC, or ALL of `events.log.disclosure`. The same view comes out of the whole state
and of a state folded from that viewer's filtered log.
"""

from typing import Any

from events.domain_events.base import UNKNOWN_CARD, Card
from events.rules.table.addition import SEES_ALL
from events.rules.table.state import GameState, NumberedCard, OpenOffer, Seat
from events.rules.table.waiting import waiting_for


def player_view(state: GameState, viewer: int) -> dict[str, Any]:
    """The table as the viewer may see it."""
    addition = state.addition
    view = {
        "game": state.game,
        "system": state.system,
        "options": state.options,
        "patience": {"people": state.people_patience, "programs": state.program_patience},
        "catalogue": state.catalogue,
        "commitment": state.commitment,
        "secret": state.secret or None,
        "status": state.status,
        "turn": state.turn,
        "phase": state.phase or None,
        "start_seat": state.start_seat,
        "active": state.active if state.turn else None,
        "waiting_for": list(waiting_for(state)),
        "seats": [
            _seat(number, seat, viewer, addition.unseen_coins(number) if addition else frozenset())
            for number, seat in enumerate(state.seats)
        ],
        "revealed": _number_cards(state.revealed),
        "offers": [_offer(offer, viewer) for offer in state.offers],
        "ready": list(state.ready),
        "draw_pile": _draw_pile(state, viewer),
        "discard_pile": list(state.discard_pile),
        "box": list(state.box),
        "result": _result(state),
        "paused_by": list(state.paused_by),
        "take_back": _take_back(state),
        "end_offer": _end_offer(state),
    }
    if state.dealing is not None:
        view["dealing"] = {"version": state.dealing.version, "seed": state.dealing.seed}
    return view if addition is None else view | addition.view(state, viewer)


def _seat(number: int, seat: Seat, viewer: int, unseen: frozenset[int]) -> dict[str, Any]:
    hand: dict[str, Any] = {"size": len(seat.hand)}
    if viewer in (number, SEES_ALL):
        hand["cards"] = _number_cards(seat.hand)
    return {
        "seat": number,
        "name": seat.name or None,
        "kind": seat.kind or None,
        "bot": seat.bot or None,
        "away": seat.away or None,
        **({"player": seat.player} if seat.player else {}),
        "program": {"name": seat.program, "version": seat.program_version} if seat.program else None,
        "hand": hand,
        "fields": [list(field) for field in seat.fields],
        "third_field": seat.third_field,
        "coins": [
            UNKNOWN_CARD if place in unseen and viewer != SEES_ALL else coin
            for place, coin in enumerate(seat.coins)
        ],
        "aside": _number_cards(seat.aside),
    }


def _offer(offer: OpenOffer, viewer: int) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "offer": offer.number,
        "seat": offer.seat,
        "to": offer.to,
        "hand_cards": list(offer.hand_cards),
        "revealed": list(offer.revealed),
        "want": dict(offer.want),
        "want_revealed": list(offer.want_revealed),
        "counters": offer.counters,
        "declined": list(offer.declined),
    }
    if offer.spare or offer.want_spared:
        shown |= {"spare": offer.spare, "want_spared": offer.want_spared}
    if viewer in (offer.seat, SEES_ALL):
        shown["hand"] = list(offer.hand)
    return shown


def _draw_pile(state: GameState, viewer: int) -> dict[str, Any]:
    pile: dict[str, Any] = {"size": len(state.draw_pile), "exhaustions": state.exhaustions}
    if viewer == SEES_ALL:
        pile["cards"] = list(state.draw_pile)
    return pile


def _result(state: GameState) -> dict[str, Any] | None:
    if state.result is None:
        return None
    return {
        "scores": list(state.result.scores),
        "winners": list(state.result.winners),
        "reason": state.result.reason,
        "unit": state.result.unit,
    }


def _take_back(state: GameState) -> dict[str, Any] | None:
    asked = state.take_back
    if asked is None:
        return None
    return {"seat": asked.seat, "to_version": asked.to_version, "agreed": list(asked.agreed)}


def _end_offer(state: GameState) -> dict[str, Any] | None:
    offer = state.end_offer
    if offer is None:
        return None
    return {"seat": offer.seat, "kind": offer.kind, "agreed": list(offer.agreed)}


def _number_cards(cards: tuple[NumberedCard, ...]) -> list[dict[str, int | Card]]:
    return [{"number": number, "card": card} for number, card in cards]
