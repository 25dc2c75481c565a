"""`the-duel`: first coins, what a field takes, planting what lies there in phase 3, and the score."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move
from events.rules.phases.planting import end_planting_aside
from events.rules.systems.bean_duel import turn as bean_duel
from events.rules.systems.the_duel.errors import DiscardedAlready
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.state import Field, GameState


def deal_coins(move: Move) -> None:
    """Before the hands: each seat's first coins off the pile, which nobody looks at."""
    players = move.rules.players
    for step in range(players):
        seat = (move.state.start_seat + step) % players
        move.emit(e.CoinsDealt(seat, move.state.draw_pile[: move.rules.setup.coins]))


def rising_fields(rules: Rules, fields: tuple[Field, ...], card: e.Card) -> tuple[int, ...]:
    """Empty fields, and those with the same variety or the next lower one on top."""
    place, rising, variety = rules.rising[rules.variety[card]], rules.rising, rules.variety
    return tuple(
        number
        for number, field in enumerate(fields)
        if not field or place - rising[variety[field[-1]]] in (0, 1)
    )


# --- phase 3 -----------------------------------------------------------------------------------------------


def plant_revealed(move: Move, command: c.PlantRevealed) -> None:
    """Plant a revealed card that was not given away; the phase ends when nothing lies there any more."""
    bean_duel.plant_revealed(move, command)
    end_planting_aside(move)


def discard_revealed(move: Move, command: c.DiscardRevealed) -> None:
    """Discard one of the revealed cards, once in a turn."""
    card = bean_duel.lying(move, command.card)
    if duel_of(move.state).discarded:
        raise DiscardedAlready("You have discarded a revealed card in this turn; plant the others.")
    move.emit(e.RevealedDiscarded(move.seat, command.card, card))
    end_planting_aside(move)


def legal_discards(_rules: Rules, state: GameState, _seat: int) -> Iterator[c.Command]:
    """Every revealed card left, until one is discarded."""
    if not duel_of(state).discarded:
        for number, _ in state.revealed:
            yield c.DiscardRevealed(number)


# --- the end -----------------------------------------------------------------------------------------------


def score_in_cents(rules: Rules, state: GameState, seat: int) -> int:
    """Coins and claimed bonus cards are worth 100 cents each, and these their own cents besides."""
    claimed = duel_of(state).seats[seat].claimed
    coins = len(state.seats[seat].coins) + len(claimed)
    return 100 * coins + sum(rules.bonus[bonus].cents for bonus in claimed)


def starting_player_loses(state: GameState, tied: tuple[int, ...]) -> tuple[int, ...]:
    """Who of them did not begin."""
    return tuple(seat for seat in tied if seat != state.start_seat)


PLANT_REVEALED = Rule(plant_revealed, bean_duel.legal_plants_revealed)
DISCARD_REVEALED = Rule(discard_revealed, legal_discards)
