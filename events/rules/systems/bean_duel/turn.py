"""The turn of the bean duel for two: what was left on offer, the hand, the revealed cards, and no trading."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move, card_named, name_cards
from events.rules.phases.drawing import legal_draws, take
from events.rules.phases.planting import PLANTINGS, check_field, open_fields, plant_front_card, refuse_miss
from events.rules.phases.turn import end_game, exhausted_for_good
from events.rules.table.state import GameState


def begin_turn(move: Move, seat: int) -> None:
    """Begin the next turn: with the cards on offer if there are any, else with the hand."""
    move.emit(e.TurnBegan(seat, move.state.turn + 1))
    if move.state.revealed:
        move.emit(e.PhaseBegan("offered"))
    else:
        _begin_planting(move)


def _begin_planting(move: Move) -> None:
    move.emit(e.PhaseBegan("plant" if move.state.seats[move.state.active].hand else "reveal"))


# --- 1: what the opponent left on offer --------------------------------------------------------------------


def plant_offered(move: Move, command: c.PlantRevealed) -> None:
    """Plant a card on offer; with the last one the hand is due."""
    plant_revealed(move, command)
    _end_offered(move)


def discard_offered(move: Move, command: c.DiscardRevealed) -> None:
    """Discard a card on offer, which is always allowed; with the last one the hand is due."""
    card = lying(move, command.card)
    move.emit(e.RevealedDiscarded(move.seat, command.card, card))
    _end_offered(move)


def _end_offered(move: Move) -> None:
    if not move.state.revealed:
        _begin_planting(move)


def legal_discards_offered(_rules: Rules, state: GameState, _seat: int) -> Iterator[c.Command]:
    """Every card on offer."""
    for number, _ in state.revealed:
        yield c.DiscardRevealed(number)


# --- 2: the hand -------------------------------------------------------------------------------------------


def plant(move: Move, command: c.Plant) -> None:
    """Plant the front card of the hand; after the second one a card may still be discarded."""
    refuse_miss(command)
    plant_front_card(move, command.field)
    if not move.own.hand:
        move.emit(e.PhaseBegan("reveal"))
    elif move.state.planted == PLANTINGS:
        move.emit(e.PhaseBegan("discard"))


def discard(move: Move, command: c.Discard) -> None:
    """Discard one card from any place of the hand, after the first planting; planting from the hand ends."""
    if move.state.planted == 0:
        raise errors.MustPlantFirst("Plant the front card of your hand before you discard one.")
    card = move.hand_card(command.card)
    move.emit(e.HandCardDiscarded(move.seat, command.card, card))
    move.emit(e.PhaseBegan("reveal"))


def legal_discards(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every card in hand, once the first bean is planted."""
    if state.planted:
        for number, _ in state.seats[seat].hand:
            yield c.Discard(number)


# --- 3: the revealed cards ---------------------------------------------------------------------------------


def after_revealing(move: Move) -> None:
    """Matching cards from the top of the discard pile join the revealed ones, once; then they may be planted."""
    variety = move.rules.variety
    varieties = {variety[card] for _, card in move.state.revealed}
    pile = move.state.discard_pile
    joining = 0
    while joining < len(pile) and variety[pile[-1 - joining]] in varieties:
        joining += 1
    if joining:
        move.emit(e.DiscardsJoined(move.state.active, pile[: -joining - 1 : -1]))
    move.emit(e.PhaseBegan("plant_revealed"))


def plant_revealed(move: Move, command: c.PlantRevealed) -> None:
    """Plant one of the cards that lie there."""
    card = lying(move, command.card)
    check_field(move, command.field, card)
    move.emit(e.RevealedPlanted(move.seat, command.card, command.field, card))


def legal_plants_revealed(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every card that lies there on every field that may take it."""
    for number, card in state.revealed:
        for field in open_fields(rules, state.seats[seat].fields, card):
            yield c.PlantRevealed(number, field)


def lying(move: Move, number: int) -> e.Card:
    """The revealed card of this number.

    Raises:
        NotRevealed: there is none.
    """
    card = card_named(move.state.revealed, number)
    if card is None:
        raise errors.NotRevealed(
            f"No revealed card {number} lies there; there is {name_cards(move.state.revealed)}."
        )
    return card


# --- 4: drawing --------------------------------------------------------------------------------------------


def draw(move: Move, _command: c.Draw) -> None:
    """End step 3, which leaves the other cards on offer, and draw; nothing is drawn when the game is over."""
    if exhausted_for_good(move):
        end_game(move, "exhausted_before_drawing")
    else:
        take(move, "draw", move.seat, move.rules.setup.draw)


PLANT_OFFERED = Rule(plant_offered, legal_plants_revealed)
DISCARD_OFFERED = Rule(discard_offered, legal_discards_offered)
DISCARD = Rule(discard, legal_discards)
PLANT_REVEALED = Rule(plant_revealed, legal_plants_revealed)
DRAW = Rule(draw, legal_draws)
