"""What belongs to no player: whose turn it is, the piles, cards lying open, offers, the clock."""

from typing import Any, Final

from events.domain_events import UNKNOWN_CARD
from events.rules.table.state import OpenOffer
from events.rules.table.waiting import waiting_for
from replay.exports.page.scene.parts import Ingredients, Moment, Parts, Values, Words
from replay.terminal.table_text import offer_text, turn_text

Offer = tuple[int, int, str, dict[str, Any]]
NEXT: Final = 6
"""Cards shown from the top of the draw pile, to whoever sees everything."""
_OFFERS_KEPT: Final = 32
"""Offers that may be open at once without any of them being made anew."""


def _turn_of(moment: Moment) -> Ingredients:
    state = moment.state
    return (
        *(state.status, state.turn, moment.phase, state.active, waiting_for(state)),
        *(state.due, state.paused_by, state.result, moment.names),
    )


def _turn(words: Words, moment: Moment) -> Values:
    state, tell = moment.state, words.tell
    running = state.status == "running" and bool(state.turn)
    return (
        turn_text(tell, state, moment.phase),
        state.turn or None,
        tell.phase(moment.phase) if running else None,
        state.active if running else None,
        [*waiting_for(state)] or None,
    )


def _draw(words: Words, moment: Moment) -> Values:
    state = moment.state
    known = [card for card in state.draw_pile[:NEXT] if card != UNKNOWN_CARD]
    return (len(state.draw_pile), state.exhaustions), [words.cards.place(card) for card in known] or None


def _discard(words: Words, moment: Moment) -> Values:
    pile = moment.state.discard_pile
    return ((len(pile), *[words.cards.place(card) for card in pile[-1:]]),)


def _offers_of(moment: Moment) -> Ingredients:
    state = moment.state
    return (state.offers, state.revealed, moment.names) if state.offers else ()


def _offers(words: Words, moment: Moment) -> Values:
    return ([_offer(words, moment, offer) for offer in moment.state.offers] or None,)


def _offer(words: Words, moment: Moment, offer: OpenOffer) -> Offer:
    """An open offer, which stays as it is while others come and go."""
    made_of = (offer, moment.state.revealed, moment.names)
    name = f"offer {offer.number % _OFFERS_KEPT}"
    made: Offer
    (made,) = words.made.values(name, made_of, lambda: (_made_offer(words, moment, offer),))
    return made


def _made_offer(words: Words, moment: Moment, offer: OpenOffer) -> Offer:
    """An open offer: its number, whose it is, its sentence, and as far as there are such what it is made of.

    `to` is whom it is for, where not for everybody; `cards` are those given from the hand and `hand` their numbers,
    where the viewer knows them; `want` is what is asked for. The numbers in `revealed` and `want_revealed` are those
    of revealed cards.
    """
    cards = words.cards
    made = {
        "to": offer.to,
        "cards": cards.runs(offer.hand_cards) or None,
        "hand": [number for number in offer.hand if number > 0] or None,
        "revealed": [*offer.revealed] or None,
        "want": [(count, cards.place(card)) for card, count in offer.want.items()] or None,
        "want_revealed": [*offer.want_revealed] or None,
        "counters": offer.counters,
        "declined": [*offer.declined] or None,
        "spare": offer.spare or None,
        "want_spared": offer.want_spared or None,
    }
    shown = {name: value for name, value in made.items() if value is not None}
    return offer.number, offer.seat, offer_text(words.tell, moment.state, offer), shown


def _duel_of(moment: Moment) -> Ingredients:
    duel = moment.state.duel
    return () if duel is None else (len(duel.pile), len(duel.discards), duel.gifts)


def _duel(words: Words, moment: Moment) -> Values:
    duel = moment.state.duel
    if duel is None:
        return None, None
    gifts = [(gift.seat, words.cards.place(gift.variety)) for gift in duel.gifts]
    return (len(duel.pile), len(duel.discards)), gifts or None


def _expansion(words: Words, moment: Moment) -> Values:
    table = moment.state.ladybohn_expansion
    if table is None:
        return None, None, None
    return (
        [words.cards.runs(fan) for fan in table.fans] or None,
        [*table.levies] or None,
        [(promise.seat, promise.to) for promise in table.promises] or None,
    )


OFFERS: Final = Parts(("offers",), _offers_of, _offers)
MIDDLE: Final = (
    Parts(("status", "turn", "phase", "active", "waiting"), _turn_of, _turn),
    Parts(("draw", "next"), lambda moment: (moment.state.draw_pile, moment.state.exhaustions), _draw),
    Parts(("discard",), lambda moment: (moment.state.discard_pile,), _discard),
    Parts(
        ("box",),
        lambda moment: (moment.state.box,),
        lambda words, moment: (words.cards.runs(moment.state.box) or None,),
    ),
    Parts(
        ("revealed",),
        lambda moment: (moment.state.revealed,),
        lambda words, moment: (words.cards.numbered(moment.state.revealed) or None,),
    ),
    OFFERS,
    Parts(
        ("ready",),
        lambda moment: (moment.state.ready,),
        lambda _, moment: ([*moment.state.ready] or None,),
    ),
    Parts(("bonus_pile", "gifts"), _duel_of, _duel),
    Parts(("fans", "levies", "promises"), lambda moment: (moment.state.ladybohn_expansion,), _expansion),
    Parts(("clock",), lambda moment: (moment.clock,), lambda _, moment: (moment.clock or None,)),
)
"""In the order in which they stand in a scene."""
