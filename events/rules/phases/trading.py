"""Phase 2: offers between the active player and exactly one other, and what becomes of them.

Several offers may be open; each trade is atomic. Cards leave the hands only when a trade is made, so an offer
whose cards are gone lapses by itself. Received cards lie aside until phase 3. Who wants nothing more may say so, so
that nobody waits for it: that binds nobody, and whatever else it does takes it back.
"""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.forms import CounterForm, Form, OfferForm
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move
from events.rules.phases.payments import (
    cards_named,
    check_given,
    check_payment,
    check_wanted,
    tradeable,
    ways_to_pay,
)
from events.rules.phases.planting import end_planting_aside
from events.rules.table.state import GameState, OpenOffer
from events.rules.table.waiting import PLANT_ASIDE

OPEN_OFFERS = 8
"""House rule: how many own offers a player may have open at once."""


# --- making offers -----------------------------------------------------------------------------------------


def offer(move: Move, command: c.Offer) -> None:
    """Offer a trade to one player, or, as the active player, to all."""
    active = move.state.active
    if active not in {move.seat, command.to}:
        raise errors.WrongAddressee(
            f"Only seat {active} trades in this turn: address your offer to seat {active}."
        )
    if move.seat == active and command.to not in {None, *_others(move.rules, active)}:
        raise errors.WrongAddressee(
            "Address your offer to another seat of the table, or to nobody to open it to all."
        )
    _make_offer(move, command, command.to)


def counter(move: Move, command: c.Counter) -> None:
    """Answer an offer by another one, linked to it; an offer to one player is closed by that."""
    answered = _offer_to_answer(move, command.offer)
    _make_offer(move, command, answered.seat, answered)


def _make_offer(
    move: Move, command: c.Offer | c.Counter, to: int | None, answered: OpenOffer | None = None
) -> None:
    if not _may_offer(move.state, move.seat):
        raise errors.TooManyOffers(f"You have {OPEN_OFFERS} open offers; withdraw one first.")
    check_given(move, command)
    check_wanted(move, command)
    if not (command.hand or command.revealed or command.want or command.want_revealed):
        raise errors.OfferEmpty("An offer must give something or want something.")
    if (command.spare or command.want_spared) and not move.rules.setup.promises_bind:
        raise errors.NotInThisGame("In this game an offer carries no promises; nothing that is said binds.")
    if answered is not None and answered.to is not None:
        move.emit(e.OfferDeclined(answered.number, move.seat, closed=True))
    hand = tuple(sorted(command.hand))
    move.emit(
        e.OfferMade(
            offer=move.state.next_offer,
            seat=move.seat,
            to=to,
            hand=hand,
            hand_cards=move.rules.offered(cards_named(move.own.hand, hand)),
            revealed=tuple(sorted(command.revealed)),
            want=command.want,
            want_revealed=tuple(sorted(command.want_revealed)),
            counters=answered.number if answered is not None else None,
            spare=command.spare,
            want_spared=command.want_spared,
        )
    )


# --- answering ---------------------------------------------------------------------------------------------


def accept(move: Move, command: c.Accept) -> None:
    """Accept an offer, naming exactly the cards that it wants: the trade is made."""
    accepted = _offer_to_answer(move, command.offer)
    check_given(move, command)
    check_payment(move, accepted, command)
    move.emit(_trade(move, accepted, command))
    if accepted.spare:
        move.emit(e.LevyPromised(accepted.seat, move.seat))
    if accepted.want_spared:
        move.emit(e.LevyPromised(move.seat, accepted.seat))
    lapse_offers(move)


def _trade(move: Move, accepted: OpenOffer, command: c.Accept) -> e.TradeMade:
    """What changes hands: the hand cards of each side in catalogue order, then its revealed ones."""
    sides = {
        accepted.seat: (accepted.hand, accepted.revealed),
        move.seat: (tuple(sorted(command.hand)), tuple(sorted(command.revealed))),
    }
    cards = {
        seat: move.rules.in_order(cards_named(move.state.seats[seat].hand, hand))
        + cards_named(move.state.revealed, revealed)
        for seat, (hand, revealed) in sides.items()
    }
    active = move.state.active
    partner = accepted.seat if move.seat == active else move.seat
    return e.TradeMade(
        offer=accepted.number,
        active=active,
        partner=partner,
        active_cards=cards[active],
        partner_cards=cards[partner],
        active_hand=sides[active][0],
        active_revealed=sides[active][1],
        partner_hand=sides[partner][0],
    )


def decline(move: Move, command: c.Decline) -> None:
    """Say no: an offer to one player is closed by that, one open to all stays for the others."""
    declined = _offer_to_answer(move, command.offer)
    if move.seat in declined.declined:
        raise errors.DeclinedAlready(
            f"You have declined offer {declined.number} already; you may still accept it."
        )
    move.emit(e.OfferDeclined(declined.number, move.seat, closed=declined.to is not None))


def _offer_to_answer(move: Move, number: int) -> OpenOffer:
    """The open offer of this number that the acting player may answer."""
    found = _open_offer(move.state, number)
    if found.seat == move.seat:
        raise errors.OwnOffer(f"Offer {number} is your own: you can only withdraw it.")
    if found.to not in (None, move.seat):
        raise errors.NotAddressedToYou(
            f"Offer {number} is addressed to seat {found.to}; nobody else can answer it."
        )
    return found


def _open_offer(state: GameState, number: int) -> OpenOffer:
    for each in state.offers:
        if each.number == number:
            return each
    shown = ", ".join(str(each.number) for each in state.offers) or "none"
    raise errors.NoSuchOffer(f"No open offer has the number {number}; open are: {shown}.")


# --- closing -----------------------------------------------------------------------------------------------


def withdraw(move: Move, command: c.Withdraw) -> None:
    """Take an own offer back."""
    found = _open_offer(move.state, command.offer)
    if found.seat != move.seat:
        raise errors.NotYourOffer(
            f"Offer {found.number} was made by seat {found.seat}; nobody else can withdraw it."
        )
    move.emit(e.OfferWithdrawn(found.number, move.seat))


def lapse_offers(move: Move) -> None:
    """Let every offer lapse that names a card which is gone."""
    revealed = {number for number, _ in move.state.revealed}
    for each in move.state.offers:
        held = {number for number, _ in move.state.seats[each.seat].hand}
        if not (held.issuperset(each.hand) and revealed.issuperset(each.revealed + each.want_revealed)):
            move.emit(e.OfferLapsed(each.number))


def ready(move: Move, _command: c.Ready) -> None:
    """Say that one wants nothing more; one may still be asked, and answer."""
    if move.seat == move.state.active:
        raise errors.EndTradingInstead(
            "It is your turn: nobody waits for you to be ready. Send `end_trading` when you want nothing more."
        )
    if move.seat in move.state.ready:
        raise errors.ReadyAlready("You are ready already; whatever else you do takes that back.")
    move.emit(e.ReadinessDeclared(move.seat))


def withdraw_readiness(move: Move) -> None:
    """Somebody who said that it wants nothing more does something after all."""
    move.emit(e.ReadinessWithdrawn(move.seat))


def end_trading(move: Move, _command: c.EndTrading) -> None:
    """End phase 2: open offers lapse, and the revealed cards that are left lie aside for the active player."""
    for each in move.state.offers:
        move.emit(e.OfferLapsed(each.number))
    move.emit(e.TradingEnded(move.seat, tuple(card for _, card in move.state.revealed)))
    if any(seat.aside for seat in move.state.seats):
        move.emit(e.PhaseBegan(PLANT_ASIDE))
    else:
        end_planting_aside(move)


# --- what is legal -----------------------------------------------------------------------------------------


def legal_offers(rules: Rules, state: GameState, seat: int) -> Iterator[Form]:
    """One form, as long as the player may have another offer open."""
    if _may_offer(state, seat):
        to = (None, *_others(rules, seat)) if seat == state.active else (state.active,)
        yield OfferForm(to, *tradeable(rules, state, seat), rules.setup.promises_bind)


def legal_counters(rules: Rules, state: GameState, seat: int) -> Iterator[Form]:
    """One form for all offers that the player may answer."""
    answerable = tuple(each.number for each in _answerable(state, seat))
    if answerable and _may_offer(state, seat):
        yield CounterForm(answerable, *tradeable(rules, state, seat), rules.setup.promises_bind)


def legal_acceptances(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command | Form]:
    """For each offer that the player can pay: the command, or a form where there is a choice of cards."""
    for each in _answerable(state, seat):
        yield from ways_to_pay(rules, state, seat, each)


def legal_declines(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every offer that the player may answer and has not declined."""
    for each in _answerable(state, seat):
        if seat not in each.declined:
            yield c.Decline(each.number)


def legal_withdrawals(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every own open offer."""
    for each in state.offers:
        if each.seat == seat:
            yield c.Withdraw(each.number)


def legal_readiness(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Once, for everybody but the active player."""
    if seat != state.active and seat not in state.ready:
        yield c.Ready()


def legal_end_trading(_rules: Rules, _state: GameState, _seat: int) -> Iterator[c.Command]:
    """Always, for the active player."""
    yield c.EndTrading()


def _answerable(state: GameState, seat: int) -> Iterator[OpenOffer]:
    return (each for each in state.offers if each.seat != seat and each.to in (None, seat))


def _may_offer(state: GameState, seat: int) -> bool:
    return sum(1 for each in state.offers if each.seat == seat) < OPEN_OFFERS


def _others(rules: Rules, seat: int) -> tuple[int, ...]:
    return tuple(each for each in range(rules.players) if each != seat)


OFFER = Rule(offer, legal_offers, active_only=False)
COUNTER = Rule(counter, legal_counters, active_only=False)
ACCEPT = Rule(accept, legal_acceptances, active_only=False)
DECLINE = Rule(decline, legal_declines, active_only=False)
WITHDRAW = Rule(withdraw, legal_withdrawals, active_only=False)
READY = Rule(ready, legal_readiness, active_only=False)
END_TRADING = Rule(end_trading, legal_end_trading)
