"""The greedy bot's own offers: what does not fit, for what fits; at last as a gift."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.bots.greedy.bargains import CLEAR_GAIN, Bargaining
from events.bots.greedy.manners import may_give, may_trade
from events.bots.situation import Situation
from events.bots.systems.ladybohn_expansion.sparing import may_levy
from events.domain_events import Card
from events.rules.definition.forms import OfferForm, matches

ASKED_FOR_NOTHING = (1, 2)
"""So many beans of a variety are asked for in return for nothing."""

Terms = tuple[
    int | None,
    tuple[Card, ...],
    tuple[int, ...],
    tuple[tuple[Card, int], ...],
    tuple[int, ...],
    tuple[bool, bool],
]
"""What makes two offers the same: addressee, cards given from hand and revealed, cards wanted likewise, promises."""


def trade_to_offer(bargaining: Bargaining) -> c.Offer | None:
    """The most promising trade that the active player has not offered yet in this turn."""
    return _best(bargaining, trades(bargaining)) if may_trade(bargaining.situation) else None


def gift_to_offer(bargaining: Bargaining) -> c.Offer | None:
    """A card that the active player is better off without, for whoever likes it."""
    return _best(bargaining, gifts(bargaining)) if may_give(bargaining.situation) else None


def offer_off_turn(bargaining: Bargaining) -> c.Offer | None:
    """Something for a revealed card, or for nothing where the active player would rather be rid of it."""
    return _best(bargaining, _requests(bargaining))


def _givable(bargaining: Bargaining) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Hand and revealed cards to give: any one, or all the revealed ones."""
    front = list(bargaining.hand)[: bargaining.situation.style.front_cards]
    ways: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), (each,)) for each in bargaining.revealed]
    ways += [((each,), ()) for each in front]
    if len(bargaining.revealed) > 1:
        ways.append(((), tuple(bargaining.revealed)))
    return ways


def trades(bargaining: Bargaining) -> Iterator[c.Offer]:
    """One card, or all revealed ones, for beans that grow on the own fields; who is bold asks for a bean more.

    And for such beans in return for nothing: to others they may be in the way.
    """
    bold = bargaining.situation.style.bold
    for hand, revealed in _givable(bargaining):
        given = {bargaining.hand[each] for each in hand} | set(bargaining.cards(revealed))
        for card in dict.fromkeys(bargaining.grown):
            if card not in given:
                for count in range(1, len(hand) + len(revealed) + 1 + bold):
                    yield c.Offer(hand=hand, revealed=revealed, want={card: count})
    if bold:
        for card, count in product(dict.fromkeys(bargaining.grown), ASKED_FOR_NOTHING):
            yield c.Offer(want={card: count})


def gifts(bargaining: Bargaining) -> Iterator[c.Offer]:
    """One card, or all revealed ones, for nothing."""
    for hand, revealed in _givable(bargaining):
        yield c.Offer(hand=hand, revealed=revealed)


def _requests(bargaining: Bargaining) -> Iterator[c.Offer]:
    active = bargaining.situation.view["active"]
    first_copies = {card: number for number, card in reversed(bargaining.hand.items())}
    for wanted, variety in bargaining.revealed.items():
        yield c.Offer(to=active, want_revealed=(wanted,))
        for given in (number for card, number in first_copies.items() if card != variety):
            yield c.Offer(to=active, hand=(given,), want_revealed=(wanted,))


def _best(bargaining: Bargaining, offers: Iterator[c.Offer]) -> c.Offer | None:
    """The offer that promises most: its gain, as likely as somebody can and will accept it."""
    situation = bargaining.situation
    forms = [each for each in situation.legal if isinstance(each, OfferForm)]
    made = {terms_made(each) for each in situation.offers_made}
    best, most = None, 0.0
    for offer in _with_promises(situation, offers):
        if terms(bargaining, offer) in made or not any(matches(form, offer) for form in forms):
            continue
        promise = _promise(bargaining, offer)
        if promise > most:
            best, most = offer, promise
    return best


def _with_promises(situation: Situation, offers: Iterator[c.Offer]) -> Iterator[c.Offer]:
    """Each offer as it is; where levies are to be reckoned with also with a promise of either side."""
    levying = [seat["seat"] for seat in situation.view["seats"] if may_levy(situation, seat["seat"])]
    for offer in offers:
        yield offer
        for seat in levying:
            if seat == situation.seat:
                yield replace(offer, spare=True)
            elif offer.to in (None, seat):
                yield replace(offer, to=seat, want_spared=True)


def _promise(bargaining: Bargaining, offer: c.Offer) -> float:
    """What the offer promises with the partner of whom most can be hoped."""
    most = 0.0
    for seat in bargaining.situation.view["seats"]:
        partner = seat["seat"]
        if (
            partner != bargaining.situation.seat
            and offer.to in (None, partner)
            and bargaining.tempts(partner, offer)
            and (gain := bargaining.gain_by(partner, offer)) >= CLEAR_GAIN
        ):
            most = max(most, gain * _likely_held(bargaining, seat["hand"]["size"], offer.want))
    return most


def _likely_held(bargaining: Bargaining, size: int, want: dict[Card, int]) -> float:
    """How likely a hand of this size holds what is wanted."""
    likely = 1.0
    for card, count in want.items():
        likely *= (1 - (1 - bargaining.valuation.outlook.share(card)) ** size) ** count
    return likely


def terms(bargaining: Bargaining, offer: c.Offer) -> Terms:
    """The terms of an offer that is thought of."""
    hand = tuple(sorted(bargaining.hand[each] for each in offer.hand))
    return (
        offer.to,
        hand,
        tuple(sorted(offer.revealed)),
        tuple(sorted(offer.want.items())),
        offer.want_revealed,
        (offer.spare, offer.want_spared),
    )


def terms_made(made: e.OfferMade) -> Terms:
    """The terms of an offer that was made."""
    hand = tuple(sorted(made.hand_cards))
    promises = made.spare, made.want_spared
    return made.to, hand, made.revealed, tuple(sorted(made.want.items())), made.want_revealed, promises
