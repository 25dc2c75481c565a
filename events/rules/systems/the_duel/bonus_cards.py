"""Bonus cards of `the-duel`: a hand of their own, claimed at any moment, discarded and refilled in phase 4."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move, check_seat
from events.rules.phases.turn import next_turn
from events.rules.systems.the_duel.errors import BonusNotInHand, DecidedAlready, SequenceNotThere
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.addition import BONUS_PILE
from events.rules.table.state import Due, Field, GameState

# --- claiming ----------------------------------------------------------------------------------------------


def claim(move: Move, command: c.ClaimBonus) -> None:
    """Claim a bonus card for the top cards of any field of either player; the beans stay where they are."""
    _check_held(move, command.bonus)
    check_seat(move.rules, command.owner)
    fields = move.state.seats[command.owner].fields
    if not 0 <= command.field < len(fields):
        raise errors.NoSuchField(
            f"Seat {command.owner} has fields 0 to {len(fields) - 1}; there is no field {command.field}."
        )
    if not _on_top(move.rules, command.bonus, fields[command.field]):
        sequence = move.rules.bonus[command.bonus].sequence
        top = ", ".join(fields[command.field][-len(sequence) :]) or "nothing"
        raise SequenceNotThere(
            f"The bonus card {command.bonus!r} asks for {', '.join(sequence)}, the last one on top; the top of"
            f" field {command.field} of seat {command.owner} is {top}."
        )
    move.emit(e.BonusClaimed(move.seat, command.bonus, command.owner, command.field))


def legal_claims(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every own bonus card with every field that its sequence is on top of."""
    for bonus in _list_held(state, seat):
        for owner, field in _fields_for(rules, state, seat, bonus):
            yield c.ClaimBonus(bonus, owner, field)


def claim_all(move: Move) -> None:
    """At the end: every bonus card in hand that can be claimed is, those of the active player first."""
    for seat in _in_turn(move):
        for bonus in _list_held(move.state, seat):
            place = next(_fields_for(move.rules, move.state, seat, bonus), None)
            if place is not None:
                move.emit(e.BonusClaimed(seat, bonus, *place, final=True))


def _fields_for(rules: Rules, state: GameState, seat: int, bonus: e.Card) -> Iterator[tuple[int, int]]:
    """Owner and number of each field that the card can be claimed for, the player's own fields first."""
    for step in range(rules.players):
        owner = (seat + step) % rules.players
        for number, field in enumerate(state.seats[owner].fields):
            if _on_top(rules, bonus, field):
                yield owner, number


def _on_top(rules: Rules, bonus: e.Card, field: Field) -> bool:
    """Whether the topmost cards of the field are exactly the sequence, its last symbol on top."""
    sequence = rules.bonus[bonus].sequence
    if not field or rules.variety[field[-1]] != sequence[-1]:
        return False
    return tuple(rules.variety[card] for card in field[-len(sequence) :]) == sequence


def _check_held(move: Move, bonus: e.Card) -> None:
    held = _list_held(move.state, move.seat)
    if bonus not in held:
        raise BonusNotInHand(
            f"You do not hold the bonus card {bonus!r}; you hold {', '.join(held) or 'none'}."
        )


def _list_held(state: GameState, seat: int) -> tuple[e.Card, ...]:
    return duel_of(state).seats[seat].bonus


# --- phase 4: discarding and refilling ---------------------------------------------------------------------


def begin_deciding(move: Move) -> None:
    """The beans are drawn: both players say what becomes of their bonus hands."""
    move.emit(e.PhaseBegan("bonus"))


def discard(move: Move, command: c.DiscardBonus) -> None:
    """Discard one bonus card, face up."""
    _check_undecided(move)
    _check_held(move, command.bonus)
    move.emit(e.BonusDiscarded(move.seat, command.bonus))
    _refill_when_decided(move)


def keep(move: Move, _command: c.KeepBonus) -> None:
    """Discard none."""
    _check_undecided(move)
    move.emit(e.BonusKept(move.seat))
    _refill_when_decided(move)


def _check_undecided(move: Move) -> None:
    if duel_of(move.state).seats[move.seat].decided:
        raise DecidedAlready(
            "You have said already what becomes of your bonus cards; wait until the other player has."
        )


def _refill_when_decided(move: Move) -> None:
    if all(seat.decided for seat in duel_of(move.state).seats):
        _fill_hand(move, "refill", move.state.active)


def legal_discards(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every own bonus card, until the player has decided."""
    if not duel_of(state).seats[seat].decided:
        for bonus in _list_held(state, seat):
            yield c.DiscardBonus(bonus)


def legal_keeping(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Until the player has decided."""
    if not duel_of(state).seats[seat].decided:
        yield c.KeepBonus()


# --- the bonus pile ----------------------------------------------------------------------------------------


def shuffle_bonus_pile(move: Move) -> None:
    """The hands are dealt: the bonus pile is due, and then three cards for each."""
    count = move.rules.setup.bonus_hand
    move.emit(e.DealerCalled("shuffle", BONUS_PILE, "deal", move.state.active, count))


def after_shuffle(move: Move, due: Due) -> None:
    """Go on taking the cards owed."""
    _take(move, due.purpose, due.seat, due.count)


def _fill_hand(move: Move, purpose: str, seat: int) -> None:
    _take(move, purpose, seat, max(0, move.rules.setup.bonus_hand - len(_list_held(move.state, seat))))


def _take(move: Move, purpose: str, seat: int, count: int) -> None:
    """Take bonus cards; the pile is shuffled anew the moment it empties, or when a draw finds discards again."""
    cards = duel_of(move.state).pile[:count]
    if cards:
        move.emit(e.BonusDrawn(seat, cards))
    duel = duel_of(move.state)
    if count and not duel.pile and duel.discards:
        move.emit(e.DealerCalled("shuffle", BONUS_PILE, purpose, seat, count - len(cards)))
        return
    following = (seat + 1) % move.rules.players
    if following != move.state.active:
        _fill_hand(move, purpose, following)
    elif purpose == "deal":
        move.rules.system.flow.begin_turn(move, move.state.active)
    else:
        next_turn(move)


def _in_turn(move: Move) -> Iterator[int]:
    """The seats, the active player's first."""
    players = move.rules.players
    return ((move.state.active + step) % players for step in range(players))


CLAIM = Rule(claim, legal_claims, active_only=False)
DISCARD = Rule(discard, legal_discards, active_only=False)
KEEP = Rule(keep, legal_keeping, active_only=False)
