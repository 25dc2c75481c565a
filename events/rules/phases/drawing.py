"""Cards from the draw pile: setting up, revealing (phase 2) and drawing (phase 4), with the dealer in between.

The moment the last card leaves the pile it counts as exhausted once more; unless that was the last time the
discard pile is shuffled at once, and what was under way goes on from the new pile. Where there is nothing to
shuffle, draws yield what there is, and the next draw that finds discards has them shuffled, uncounted.
"""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Rule, Rules
from events.rules.interventions.rewinding import call_dealer, is_redeal
from events.rules.move import Move, check_seat
from events.rules.phases.turn import exhausted_for_good
from events.rules.table.addition import DRAW_PILE
from events.rules.table.piles import cards_to_shuffle, shuffles_of
from events.rules.table.state import GameState

# --- phase 2 begins ----------------------------------------------------------------------------------------


def reveal(move: Move, _command: c.Reveal) -> None:
    """Turn cards face up: what there is, up to the system's number."""
    if move.state.phase == "plant" and move.state.planted == 0:
        raise errors.MustPlantFirst("Plant the front card of your hand first; only the second is optional.")
    take(move, "reveal", move.seat, move.rules.setup.reveal)


def legal_reveals(_rules: Rules, state: GameState, _seat: int) -> Iterator[c.Command]:
    """Once the first bean is planted, or at once with an empty hand."""
    if state.phase == "reveal" or state.planted:
        yield c.Reveal()


# --- phase 4 -----------------------------------------------------------------------------------------------


def draw(move: Move, _command: c.Draw) -> None:
    """Draw to the back of the hand: what there is, up to the system's number."""
    take(move, "draw", move.seat, move.rules.setup.draw)


def legal_draws(_rules: Rules, _state: GameState, _seat: int) -> Iterator[c.Command]:
    """Always, in phase 4."""
    yield c.Draw()


# --- taking cards ------------------------------------------------------------------------------------------


def take(move: Move, purpose: str, seat: int, count: int) -> None:
    """Take cards off the draw pile for this purpose; where a shuffle is due, stop there for the dealer."""
    if not move.state.draw_pile and may_refill(move):
        move.emit(e.DealerCalled("shuffle", DRAW_PILE, purpose, seat, count))
        return
    cards = move.state.draw_pile[:count]
    if cards or purpose == "reveal":
        move.emit(e.CardsRevealed(seat, cards) if purpose == "reveal" else e.CardsDrawn(seat, cards))
    if cards and not move.state.draw_pile:
        move.emit(e.PileExhausted(DRAW_PILE, move.state.exhaustions + 1))
        if may_refill(move):
            move.emit(e.DealerCalled("shuffle", DRAW_PILE, purpose, seat, count - len(cards)))
            return
    continue_drawing(move, purpose, seat)


def may_refill(move: Move) -> bool:
    """Whether the discard pile is to become the draw pile: there is one, and this was not the last time."""
    return bool(move.state.discard_pile) and not exhausted_for_good(move)


def continue_drawing(move: Move, purpose: str, seat: int) -> None:
    """Go on after the cards owed to this seat were taken: where everybody draws, with the next one's."""
    flow, setup = move.rules.system.flow, move.rules.setup
    following = (seat + 1) % move.rules.players
    if purpose == "reveal":
        flow.after_revealing(move)
    elif setup.all_draw and following != move.state.active:
        take(move, purpose, following, setup.draw)
    else:
        flow.after_drawing(move)


def begin_trading(move: Move) -> None:
    """The cards are revealed: there is trading."""
    move.emit(e.PhaseBegan("trade"))


# --- the dealer --------------------------------------------------------------------------------------------


def shuffle(move: Move, command: c.Shuffle) -> None:
    """The dealer hands in a pile; it must consist of exactly the cards that are due."""
    due = move.state.due
    if due is None or due.task != "shuffle" or due.pile != command.pile:
        raise errors.NothingDue(f"No shuffle of the {command.pile} pile is due.")
    expected = cards_to_shuffle(move.rules, move.state)
    if sorted(command.order) != sorted(expected):
        raise errors.NotAPermutation(
            f"The {command.pile} pile must consist of exactly the {len(expected)} cards that are due, each once."
        )
    move.emit(e.PileShuffled(due.pile, shuffles_of(move.state, due.pile) + 1, command.order))
    others = move.rules.system.flow.after_shuffle or {}
    if is_redeal(due):
        call_dealer(move)
    elif due.pile in others:
        others[due.pile](move, due)
    elif due.purpose == "deal":
        deal(move)
    elif due.count:
        take(move, due.purpose, due.seat, due.count)
    else:
        continue_drawing(move, due.purpose, due.seat)


def deal(move: Move) -> None:
    """Deal whole hands, seat by seat from the starting player, lay out the fans, and begin the first turn."""
    flow = move.rules.system.flow
    if flow.before_hands is not None:
        flow.before_hands(move)
    start, players = move.state.start_seat, move.rules.players
    for step in range(players):
        size = move.rules.setup.hand_size(step)
        move.emit(e.HandDealt((start + step) % players, move.state.draw_pile[:size]))
    for fan, size in enumerate(move.rules.setup.fans):
        move.emit(e.FanLaidOut(fan, move.state.draw_pile[:size]))
    if flow.after_hands is not None:
        flow.after_hands(move)
    else:
        flow.begin_turn(move, start)


def choose_starting_seat(move: Move, command: c.ChooseStartingSeat) -> None:
    """The dealer names the starting player."""
    due = move.state.due
    if due is None or due.task != "starting_seat":
        raise errors.NothingDue("No starting seat is due.")
    check_seat(move.rules, command.seat)
    begin_deal(move, command.seat)


def begin_deal(move: Move, start: int) -> None:
    """The starting player is known: the first shuffle is due."""
    move.emit(e.StartingSeatChosen(start))
    move.emit(e.DealerCalled("shuffle", DRAW_PILE, "deal", start))


REVEAL = Rule(reveal, legal_reveals)
DRAW = Rule(draw, legal_draws)
