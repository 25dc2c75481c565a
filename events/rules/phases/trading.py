"""Phase 2: offers between the active player and exactly one other, and what becomes of them.

Several offers may be open; each trade is atomic. Cards leave the hands only when a trade is made, so an offer
whose cards are gone lapses by itself. Received cards lie aside until phase 3.
"""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.forms import AcceptForm, CounterForm, Form, OfferForm, Payment, matches
from events.rules.move import Move, card_named, shown
from events.rules.phases.planting import end_planting_aside
from events.rules.rule_system import Rule, Rules
from events.rules.state import GameState, NumberedCard, OpenOffer

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
    if move.seat == active and command.to not in (None, *_others(move.rules, active)):
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
    if sum(1 for each in move.state.offers if each.seat == move.seat) >= OPEN_OFFERS:
        raise errors.TooManyOffers(f"You have {OPEN_OFFERS} open offers; withdraw one first.")
    _check_given(move, command)
    _check_wanted(move, command)
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
            hand_cards=move.rules.offered(_cards(move.own.hand, hand)),
            revealed=tuple(sorted(command.revealed)),
            want=command.want,
            want_revealed=tuple(sorted(command.want_revealed)),
            counters=answered.number if answered is not None else None,
            spare=command.spare,
            want_spared=command.want_spared,
        )
    )


def _check_given(move: Move, command: c.Offer | c.Counter | c.Accept) -> None:
    """Refuse cards that the player does not hold, or names twice."""
    _check_named(move.own.hand, command.hand, errors.NotInHand, "in your hand")
    if command.revealed and move.seat != move.state.active:
        raise errors.RevealedNotYours(
            "The revealed cards belong to the active player; give cards from your hand."
        )
    _check_named(move.state.revealed, command.revealed, errors.NotRevealed, "revealed")


def _check_wanted(move: Move, command: c.Offer | c.Counter) -> None:
    if command.want_revealed and move.seat == move.state.active:
        raise errors.NotWanted("The revealed cards are yours already; you cannot ask for them.")
    _check_named(move.state.revealed, command.want_revealed, errors.NotRevealed, "revealed")
    for card, count in command.want.items():
        copies = move.rules.wantable.get(card)
        if copies is None:
            raise errors.NoSuchVariety(f"This game has no {card!r}; it has {', '.join(move.rules.wantable)}.")
        if not 1 <= count <= copies:
            raise errors.BadAmount(f"You can ask for 1 to {copies} {card} beans, not for {count}.")


def _check_named(
    held: tuple[NumberedCard, ...], named: tuple[int, ...], missing: type[errors.RuleViolation], where: str
) -> None:
    if len(set(named)) != len(named):
        raise errors.CardNamedTwice(f"A card is named twice among {list(named)}; name each once.")
    numbers = {number for number, _ in held}
    for number in named:
        if number not in numbers:
            raise missing(f"No card {number} is {where}; there is {shown(held)}.")


# --- answering ---------------------------------------------------------------------------------------------


def accept(move: Move, command: c.Accept) -> None:
    """Accept an offer, naming exactly the cards that it wants: the trade is made."""
    accepted = _offer_to_answer(move, command.offer)
    _check_given(move, command)
    _check_payment(move, accepted, command)
    giver = move.state.seats[accepted.seat]
    paid_hand = tuple(sorted(command.hand))
    paid_revealed = tuple(sorted(command.revealed))
    given = move.rules.in_order(_cards(giver.hand, accepted.hand)) + _cards(
        move.state.revealed, accepted.revealed
    )
    paid = move.rules.in_order(_cards(move.own.hand, paid_hand)) + _cards(move.state.revealed, paid_revealed)
    if move.seat == move.state.active:
        trade = e.TradeMade(
            offer=accepted.number,
            active=move.seat,
            partner=accepted.seat,
            active_cards=paid,
            partner_cards=given,
            active_hand=paid_hand,
            active_revealed=paid_revealed,
            partner_hand=accepted.hand,
        )
    else:
        trade = e.TradeMade(
            offer=accepted.number,
            active=accepted.seat,
            partner=move.seat,
            active_cards=given,
            partner_cards=paid,
            active_hand=accepted.hand,
            active_revealed=accepted.revealed,
            partner_hand=paid_hand,
        )
    move.emit(trade)
    if accepted.spare:
        move.emit(e.LevyPromised(accepted.seat, move.seat))
    if accepted.want_spared:
        move.emit(e.LevyPromised(move.seat, accepted.seat))
    lapse_offers(move)


def _check_payment(move: Move, accepted: OpenOffer, command: c.Accept) -> None:
    """Refuse cards that are not exactly what the offer wants."""
    payments = _payments(move.rules, move.state, move.seat, accepted)
    if not matches(AcceptForm(accepted.number, accepted.want_revealed, payments), command):
        raise errors.PaymentMismatch(f"Offer {accepted.number} wants {_wanted(accepted)}.")


def _wanted(accepted: OpenOffer) -> str:
    """What an offer wants, and what to do about it, in words."""
    wanted = [f"{count} {card}" for card, count in accepted.want.items()]
    wanted += [f"the revealed card {number}" for number in accepted.want_revealed]
    if not wanted:
        return "nothing in return: accept it without naming a card"
    return f"exactly {' and '.join(wanted)}: name such cards of yours by their numbers, and no others"


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


def end_trading(move: Move, _command: c.EndTrading) -> None:
    """End phase 2: open offers lapse, and the revealed cards that are left lie aside for the active player."""
    for each in move.state.offers:
        move.emit(e.OfferLapsed(each.number))
    move.emit(e.TradingEnded(move.seat, tuple(card for _, card in move.state.revealed)))
    if any(seat.aside for seat in move.state.seats):
        move.emit(e.PhaseBegan("plant_aside"))
    else:
        end_planting_aside(move)


# --- what is legal -----------------------------------------------------------------------------------------


def legal_offers(rules: Rules, state: GameState, seat: int) -> Iterator[Form]:
    """One form, as long as the player may have another offer open."""
    if _may_offer(state, seat):
        to = (None, *_others(rules, seat)) if seat == state.active else (state.active,)
        yield OfferForm(to, *_tradeable(rules, state, seat), rules.setup.promises_bind)


def legal_counters(rules: Rules, state: GameState, seat: int) -> Iterator[Form]:
    """One form for all offers that the player may answer."""
    answerable = tuple(each.number for each in _answerable(state, seat))
    if answerable and _may_offer(state, seat):
        yield CounterForm(answerable, *_tradeable(rules, state, seat), rules.setup.promises_bind)


def legal_acceptances(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command | Form]:
    """For each offer that the player can pay: the command, or a form where there is a choice of cards."""
    for each in _answerable(state, seat):
        payments = _payments(rules, state, seat, each)
        hand = {number for way in payments for number in way.hand}
        revealed = {number for way in payments for number in way.revealed}
        form = AcceptForm(each.number, each.want_revealed, payments)
        everything = c.Accept(
            each.number, tuple(sorted(hand)), tuple(sorted(revealed.union(each.want_revealed)))
        )
        if matches(form, everything):
            yield everything
        elif _can_be_paid(payments):
            yield form


def _can_be_paid(payments: tuple[Payment, ...]) -> bool:
    """Whether there are cards for every payment; those of the narrower payments before are used up."""
    spent: dict[tuple[str, int], None] = {}
    for way in payments:
        left = [("hand", number) for number in way.hand if ("hand", number) not in spent]
        left += [("revealed", number) for number in way.revealed if ("revealed", number) not in spent]
        if len(left) < way.count:
            return False
        spent.update(dict.fromkeys(left[: way.count]))
    return True


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


def legal_end_trading(_rules: Rules, _state: GameState, _seat: int) -> Iterator[c.Command]:
    """Always, for the active player."""
    yield c.EndTrading()


def _answerable(state: GameState, seat: int) -> Iterator[OpenOffer]:
    return (each for each in state.offers if each.seat != seat and each.to in (None, seat))


def _may_offer(state: GameState, seat: int) -> bool:
    return sum(1 for each in state.offers if each.seat == seat) < OPEN_OFFERS


def _tradeable(
    rules: Rules, state: GameState, seat: int
) -> tuple[tuple[int, ...], tuple[int, ...], dict[e.Card, int], tuple[int, ...]]:
    """What a trade of this player may name: hand, revealed, what can be wanted, wanted revealed cards."""
    hand = tuple(number for number, _ in state.seats[seat].hand)
    revealed = tuple(number for number, _ in state.revealed)
    if seat == state.active:
        return hand, revealed, dict(rules.wantable), ()
    return hand, (), dict(rules.wantable), revealed


def _payments(rules: Rules, state: GameState, seat: int, wanting: OpenOffer) -> tuple[Payment, ...]:
    """For each thing wanted the cards that the player could give for it, the narrower wants first."""
    free = tuple(each for each in state.revealed if each[0] not in wanting.want_revealed)
    if seat != state.active:
        free = ()
    return tuple(
        Payment(
            name,
            count,
            tuple(number for number, held in state.seats[seat].hand if _is_wanted(rules, name, held)),
            tuple(number for number, held in free if _is_wanted(rules, name, held)),
        )
        for name, count in sorted(wanting.want.items(), key=lambda want: want[0] in rules.varieties)
    )


def _is_wanted(rules: Rules, name: str, card: e.Card) -> bool:
    """Whether the card is what this name asks for: a variety, or else a card itself."""
    return name == (rules.variety[card] if name in rules.varieties else card)


def _others(rules: Rules, seat: int) -> tuple[int, ...]:
    return tuple(each for each in range(rules.players) if each != seat)


def _cards(held: tuple[NumberedCard, ...], numbers: tuple[int, ...]) -> tuple[e.Card, ...]:
    """The cards with these numbers, which are known to be there."""
    return tuple(card for number in numbers if (card := card_named(held, number)) is not None)


OFFER = Rule(offer, legal_offers, active_only=False)
COUNTER = Rule(counter, legal_counters, active_only=False)
ACCEPT = Rule(accept, legal_acceptances, active_only=False)
DECLINE = Rule(decline, legal_declines, active_only=False)
WITHDRAW = Rule(withdraw, legal_withdrawals, active_only=False)
END_TRADING = Rule(end_trading, legal_end_trading)
