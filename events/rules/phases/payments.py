"""What a trade may name: the cards that are given, what can be wanted for them, and the cards that pay for a want."""

from collections.abc import Iterator

from events import commands as c
from events.domain_events import Card
from events.rules import errors
from events.rules.definition.forms import AcceptForm, Form, Payment, matches
from events.rules.definition.rule_system import Rules
from events.rules.move import Move, card_named, name_cards
from events.rules.table.state import GameState, NumberedCard, OpenOffer

# --- cards given and wanted --------------------------------------------------------------------------------


def tradeable(
    rules: Rules, state: GameState, seat: int
) -> tuple[tuple[int, ...], tuple[int, ...], dict[Card, int], tuple[int, ...]]:
    """What a trade of this player may name: hand, revealed, what can be wanted, wanted revealed cards."""
    hand = tuple(number for number, _ in state.seats[seat].hand)
    revealed = tuple(number for number, _ in state.revealed)
    if seat == state.active:
        return hand, revealed, dict(rules.wantable), ()
    return hand, (), dict(rules.wantable), revealed


def check_given(move: Move, command: c.Offer | c.Counter | c.Accept) -> None:
    """Refuse cards that the player does not hold, or names twice."""
    _check_named(move.own.hand, command.hand, errors.NotInHand, "in your hand")
    if command.revealed and move.seat != move.state.active:
        raise errors.RevealedNotYours(
            "The revealed cards belong to the active player; give cards from your hand."
        )
    _check_named(move.state.revealed, command.revealed, errors.NotRevealed, "revealed")


def check_wanted(move: Move, command: c.Offer | c.Counter) -> None:
    """Refuse to ask for what one owns already, or for more than there is in the game."""
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
    if not named:
        return
    if len(set(named)) != len(named):
        raise errors.CardNamedTwice(f"A card is named twice among {list(named)}; name each once.")
    numbers = {number for number, _ in held}
    for number in named:
        if number not in numbers:
            raise missing(f"No card {number} is {where}; there is {name_cards(held)}.")


def cards_named(held: tuple[NumberedCard, ...], numbers: tuple[int, ...]) -> tuple[Card, ...]:
    """The cards with these numbers, which are known to be there."""
    return tuple(card for number in numbers if (card := card_named(held, number)) is not None)


# --- payments ----------------------------------------------------------------------------------------------


def check_payment(move: Move, accepted: OpenOffer, command: c.Accept) -> None:
    """Refuse cards that are not exactly what the offer wants."""
    payments = _payments(move.rules, move.state, move.seat, accepted)
    if not matches(AcceptForm(accepted.number, accepted.want_revealed, payments), command):
        raise errors.PaymentMismatch(f"Offer {accepted.number} wants {_describe_wanted(accepted)}.")


def _describe_wanted(accepted: OpenOffer) -> str:
    """What an offer wants, and what to do about it, in words."""
    wanted = [f"{count} {card}" for card, count in accepted.want.items()]
    wanted += [f"the revealed card {number}" for number in accepted.want_revealed]
    if not wanted:
        return "nothing in return: accept it without naming a card"
    return f"exactly {' and '.join(wanted)}: name such cards of yours by their numbers, and no others"


def ways_to_pay(rules: Rules, state: GameState, seat: int, wanting: OpenOffer) -> Iterator[c.Command | Form]:
    """The acceptance of this offer, or a form where there is a choice of cards; nothing for who cannot pay."""
    payments = _payments(rules, state, seat, wanting)
    hand = {number for way in payments for number in way.hand}
    revealed = {number for way in payments for number in way.revealed}
    form = AcceptForm(wanting.number, wanting.want_revealed, payments)
    everything = c.Accept(
        wanting.number, tuple(sorted(hand)), tuple(sorted(revealed.union(wanting.want_revealed)))
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


def _is_wanted(rules: Rules, name: str, card: Card) -> bool:
    """Whether the card is what this name asks for: a variety, or else a card itself."""
    return name == (rules.variety[card] if name in rules.varieties else card)
