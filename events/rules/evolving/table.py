"""Setting up, chance, and the end."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers, to_hand, with_seat
from events.rules.table.addition import Pile
from events.rules.table.state import Due, GameState, Result, Seat


def _game_created(state: GameState, event: e.GameCreated) -> GameState:
    return replace(
        state,
        game=event.game,
        system=event.system,
        system_version=event.system_version,
        engine_version=event.engine_version,
        options=event.options,
        catalogue=event.catalogue,
        commitment=event.commitment,
        people_patience=event.people_patience,
        program_patience=event.program_patience,
        clock=event.clock,
        dealing=event.dealing,
        status="open",
        seats=(Seat(),) * event.players,
    )


def _seat_taken(state: GameState, event: e.SeatTaken) -> GameState:
    seat = Seat(
        name=event.name,
        kind=event.kind,
        bot=event.bot,
        program=event.program,
        program_version=event.program_version,
        seed=event.seed,
        player=event.player,
    )
    return replace(state, seats=with_seat(state, event.seat, seat))


def _game_started(state: GameState, event: e.GameStarted) -> GameState:
    seats = tuple(replace(seat, fields=((),) * event.fields) for seat in state.seats)
    return replace(state, status="running", seats=seats)


def _starting_seat_chosen(state: GameState, event: e.StartingSeatChosen) -> GameState:
    return replace(state, start_seat=event.seat, active=event.seat, due=None)


def _hand_dealt(state: GameState, event: e.HandDealt) -> GameState:
    return to_hand(state, event.seat, event.cards)


def _dealer_called(state: GameState, event: e.DealerCalled) -> GameState:
    return replace(state, due=Due(event.task, event.pile, event.purpose, event.seat, event.count))


def _pile_shuffled(state: GameState, event: e.PileShuffled) -> GameState:
    anew = state.redeal[:1] == (event.pile,)
    redeal = state.redeal[1:] if anew else state.redeal
    addition = state.addition
    own = addition.piles().get(event.pile) if addition is not None else None
    if addition is not None and own is not None:
        shuffled = Pile(event.order, own.discards if anew else (), event.number)
        return state.with_addition(addition.with_pile(event.pile, shuffled), due=None, redeal=redeal)
    discards = state.discard_pile if anew else ()
    return replace(
        state,
        draw_pile=event.order,
        discard_pile=discards,
        shuffles=event.number,
        due=None,
        redeal=redeal,
    )


def _pile_exhausted(state: GameState, event: e.PileExhausted) -> GameState:
    return replace(state, exhaustions=event.times)


def _game_ended(state: GameState, event: e.GameEnded) -> GameState:
    return replace(
        state, status="ended", result=Result(event.scores, event.winners, event.reason, event.unit)
    )


def _secret_revealed(state: GameState, event: e.SecretRevealed) -> GameState:
    return replace(state, status="finished", secret=event.secret, due=None)


EVOLVERS: Evolvers = {
    e.GameCreated: _game_created,
    e.SeatTaken: _seat_taken,
    e.GameStarted: _game_started,
    e.StartingSeatChosen: _starting_seat_chosen,
    e.HandDealt: _hand_dealt,
    e.DealerCalled: _dealer_called,
    e.PileShuffled: _pile_shuffled,
    e.PileExhausted: _pile_exhausted,
    e.GameEnded: _game_ended,
    e.SecretRevealed: _secret_revealed,
}
