"""How a turn begins, how it goes from phase to phase, and how the game ends."""

from events import domain_events as e
from events.rules.move import Move
from events.rules.table.state import Field, GameState


def begin_turn(move: Move, seat: int) -> None:
    """Begin the next turn; whether the hand is empty is judged now, and then phase 1 is skipped."""
    move.emit(e.TurnBegan(seat, move.state.turn + 1))
    move.emit(e.PhaseBegan("plant" if move.state.seats[seat].hand else "reveal"))


def next_turn(move: Move) -> None:
    """The turn passes clockwise: to the next seat number."""
    move.rules.system.flow.begin_turn(move, (move.state.active + 1) % move.rules.players)


def end_or_pass(move: Move) -> None:
    """After phase 4: the game ends at once if the pile was exhausted for the last time, else the turn passes."""
    if exhausted_for_good(move):
        end_game(move, "exhausted_while_drawing")
    else:
        next_turn(move)


def end_or_draw(move: Move) -> None:
    """After phase 3: the game ends if the pile was exhausted for the last time, else phase 4 begins."""
    if exhausted_for_good(move):
        end_game(move, "exhausted_before_drawing")
    else:
        move.emit(e.PhaseBegan("draw"))


def exhausted_for_good(move: Move) -> bool:
    """Whether the draw pile has been exhausted as often as the game lasts."""
    return move.state.exhaustions >= move.rules.setup.exhaustions


def end_game(move: Move, reason: str) -> None:
    """Harvest every field without protection, clockwise from the active player, and count the coins."""
    if move.rules.system.flow.before_final_harvest is not None:
        move.rules.system.flow.before_final_harvest(move)
    (move.rules.system.flow.final_harvest or harvest_all)(move)
    count_coins(move, reason)


def harvest_all(move: Move) -> None:
    """Harvest one field after the other: seats clockwise from the active player, fields by number."""
    for seat, number, field in grown_fields(move):
        coins = move.rules.coins_for(field)
        move.emit(e.FieldHarvested(seat, number, field, coins, final=True))


def grown_fields(move: Move) -> tuple[tuple[int, int, Field], ...]:
    """Every field that something grows on: seats clockwise from the active player, fields by number."""
    players = move.rules.players
    clockwise = [(move.state.active + step) % players for step in range(players)]
    return tuple(
        (seat, number, field)
        for seat in clockwise
        for number, field in enumerate(move.state.seats[seat].fields)
        if field
    )


def count_coins(move: Move, reason: str) -> None:
    """Name the winners; nothing is left but to open the secret."""
    scores, winners = move.rules.count_result(move.state)
    move.emit(e.GameEnded(scores, winners, reason, move.rules.system.unit))
    move.emit(e.DealerCalled("secret"))


def shared_victory(_state: GameState, tied: tuple[int, ...]) -> tuple[int, ...]:
    """All who have the most coins win together."""
    return tied


def most_cards_in_hand(state: GameState, tied: tuple[int, ...]) -> tuple[int, ...]:
    """Who of them holds the most cards in hand wins; a tie that is left is a shared victory."""
    most = max(len(state.seats[seat].hand) for seat in tied)
    return tuple(seat for seat in tied if len(state.seats[seat].hand) == most)
