"""What one viewer may see of the table, as JSON-ready values.

A viewer is a seat number, or PUBLIC, or ALL of `events.disclosure`. The same view comes out of the whole state and
of a state folded from that viewer's filtered log.
"""

from typing import Any

from events.domain_events import UNKNOWN_CARD, Card
from events.rules.duel_state import DuelState
from events.rules.lady_bohn_table import LadyBohnTable
from events.rules.ladybohn_table import LadybohnTable
from events.rules.legal import waiting_for
from events.rules.state import GameState, NumberedCard, OpenOffer, Seat

SEES_ALL = -2
"""The viewer called ALL in `events.disclosure`."""


def player_view(state: GameState, viewer: int) -> dict[str, Any]:
    """The table as the viewer may see it."""
    view = {
        "game": state.game,
        "system": state.system,
        "options": state.options,
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
            _seat(number, seat, viewer, _unseen(state, number)) for number, seat in enumerate(state.seats)
        ],
        "revealed": _numbered(state.revealed),
        "offers": [_offer(offer, viewer) for offer in state.offers],
        "draw_pile": _draw_pile(state, viewer),
        "discard_pile": list(state.discard_pile),
        "box": list(state.box),
        "result": _result(state),
        "paused_by": list(state.paused_by),
        "take_back": _take_back(state),
    }
    if state.duel is not None:
        view["duel"] = _duel(state.duel, viewer)
    if state.ladybohn is not None:
        view |= _ladybohn(state, state.ladybohn)
    return view if state.lady_bohn is None else view | _lady_bohn(state.lady_bohn)


def _lady_bohn(table: LadyBohnTable) -> dict[str, Any]:
    """What the expansion adds; all of it lies open."""
    return {
        "fans": [list(fan) for fan in table.fans],
        "quota_field": table.quota,
        "levies": list(table.levies),
        "promises": [{"seat": promise.seat, "to": promise.to} for promise in table.promises],
    }


def _ladybohn(state: GameState, table: LadybohnTable) -> dict[str, Any]:
    """What `ladybohn` adds; all of it lies open."""
    return {
        "miss_moves": [{"seat": seat, "field": field} for seat, field in table.moves],
        "barred_field": table.barred if state.phase == "plant" and state.planted else None,
    }


def _unseen(state: GameState, seat: int) -> set[int]:
    """The places of the coins that nobody has seen."""
    if state.duel is not None:
        return {*state.duel.seats[seat].unseen}
    unseen = state.ladybohn.unseen if state.ladybohn is not None else ()
    return {place for owner, place in unseen if owner == seat}


def _seat(number: int, seat: Seat, viewer: int, unseen: set[int]) -> dict[str, Any]:
    hand: dict[str, Any] = {"size": len(seat.hand)}
    if viewer in (number, SEES_ALL):
        hand["cards"] = _numbered(seat.hand)
    return {
        "seat": number,
        "name": seat.name or None,
        "kind": seat.kind or None,
        "bot": seat.bot or None,
        "hand": hand,
        "fields": [list(field) for field in seat.fields],
        "third_field": seat.third_field,
        "coins": [
            UNKNOWN_CARD if place in unseen and viewer != SEES_ALL else coin
            for place, coin in enumerate(seat.coins)
        ],
        "aside": _numbered(seat.aside),
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


def _duel(duel: DuelState, viewer: int) -> dict[str, Any]:
    """Gift cards, the one on offer last, and bonus cards; what a hand of bonus cards holds is its owner's."""
    pile: dict[str, Any] = {"size": len(duel.pile)}
    if viewer == SEES_ALL:
        pile["cards"] = list(duel.pile)
    return {
        "gifts": [{"seat": gift.seat, "variety": gift.variety} for gift in duel.gifts],
        "discarded": duel.discarded,
        "bonus_pile": pile,
        "bonus_discards": list(duel.discards),
        "seats": [
            {
                "bonus": {"size": len(seat.bonus)}
                | ({"cards": list(seat.bonus)} if viewer in (number, SEES_ALL) else {}),
                "claimed": list(seat.claimed),
                "decided": seat.decided,
            }
            for number, seat in enumerate(duel.seats)
        ],
    }


def _numbered(cards: tuple[NumberedCard, ...]) -> list[dict[str, int | Card]]:
    return [{"number": number, "card": card} for number, card in cards]
