"""Every event as an English sentence. A card or number that the viewer may not see is a hidden card."""

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from events import domain_events as e
from events.rules.state import GameState
from replay.bean_duel import SENTENCES as BEAN_DUEL
from replay.lady_bohn import SENTENCES as LADY_BOHN
from replay.ladybohn import SENTENCES as LADYBOHN
from replay.safe_text import safe
from replay.the_duel import SENTENCES as THE_DUEL
from replay.words import Words, counted, listed, ordinal, player

PHASES = MappingProxyType(
    {
        "plant": "planting from the hand",
        "reveal": "revealing cards",
        "trade": "trading",
        "plant_aside": "planting what lies aside",
        "draw": "drawing",
        "offered": "what was left on offer",
        "discard": "discarding a card from the hand",
        "plant_revealed": "planting revealed cards",
        "offer_gift": "offering a gift",
        "answer_gift": "answering the gift on offer",
        "give": "choosing the card to give",
        "bonus": "discarding bonus cards",
        "fans": "choosing a fan",
        "levy": "levying coins",
    }
)
"""What a phase is called; one that stands not here goes by its own name."""
ENDINGS = MappingProxyType(
    {
        "exhausted_before_drawing": "the draw pile had run out for the last time before phase 4",
        "exhausted_in_this_turn": "the draw pile had run out for the last time in this turn",
        "exhausted_while_drawing": "the draw pile ran out for the last time in phase 4",
    }
)
"""Why a game ended; a reason that stands not here goes by its own name."""


def describe(words: Words, state: GameState, event: e.DomainEvent) -> str:
    """What has happened, as a sentence; `state` is the table after it."""
    return SENTENCES[type(event)](words, state, event)


def phase_name(phase: str) -> str:
    """What a phase is called."""
    return PHASES.get(phase, safe(phase))


# --- before the first turn ---------------------------------------------------------------------------------


def _game_created(_words: Words, _state: GameState, event: e.GameCreated) -> str:
    return (
        f"A table for {safe(event.system)} with {event.players} seats was set up;"
        f" the dealer committed itself to a secret."
    )


def _seat_taken(_words: Words, state: GameState, event: e.SeatTaken) -> str:
    name = player(state, event.seat)
    who = f"The bot {name} ({safe(event.bot)})" if event.kind == "bot" else name
    seed = ", with a seed for the shuffles" if event.seed else ""
    return f"{who} took seat {event.seat}{seed}."


def _game_started(_words: Words, _state: GameState, event: e.GameStarted) -> str:
    return f"Every seat is taken: the game began, with {counted(event.fields, 'field')} each."


def _starting_seat_chosen(_words: Words, state: GameState, event: e.StartingSeatChosen) -> str:
    return f"{player(state, event.seat)} is the starting player."


def _hand_dealt(words: Words, state: GameState, event: e.HandDealt) -> str:
    return f"{player(state, event.seat)} was dealt {words.cards(event.cards)}."


# --- piles -------------------------------------------------------------------------------------------------


def _dealer_called(_words: Words, state: GameState, event: e.DealerCalled) -> str:
    match event.task:
        case "starting_seat":
            return "The dealer has to draw the starting player."
        case "secret":
            return "The dealer has to open its secret."
        case _:
            owed = (
                f"; {player(state, event.seat)} is owed {counted(event.count, 'more card')}"
                if event.count
                else ""
            )
            return f"The dealer has to shuffle the {safe(event.pile)} pile{owed}."


def _pile_shuffled(_words: Words, _state: GameState, event: e.PileShuffled) -> str:
    cards = counted(len(event.order), "card")
    return f"The dealer shuffled the {safe(event.pile)} pile for the {ordinal(event.number)} time: {cards}."


def _pile_exhausted(_words: Words, _state: GameState, event: e.PileExhausted) -> str:
    return f"The {safe(event.pile)} pile ran out for the {ordinal(event.times)} time."


def _cards_drawn(words: Words, state: GameState, event: e.CardsDrawn) -> str:
    return f"{player(state, event.seat)} drew {words.cards(event.cards)}."


def _cards_revealed(words: Words, state: GameState, event: e.CardsRevealed) -> str:
    return f"{player(state, event.seat)} revealed {words.cards(event.cards)}."


# --- the turn ----------------------------------------------------------------------------------------------


def _turn_began(_words: Words, state: GameState, event: e.TurnBegan) -> str:
    return f"Turn {event.turn} began: it is the turn of {player(state, event.seat)}."


def _phase_began(_words: Words, _state: GameState, event: e.PhaseBegan) -> str:
    return f"The turn went on to {phase_name(event.phase)}."


def _bean_planted(words: Words, state: GameState, event: e.BeanPlanted) -> str:
    return f"{player(state, event.seat)} planted {words.count(1, event.card)} on field {event.field}."


def _aside_planted(words: Words, state: GameState, event: e.AsidePlanted) -> str:
    card = words.count(1, event.card)
    return f"{player(state, event.seat)} planted {card} that lay aside on field {event.field}."


def _field_harvested(words: Words, state: GameState, event: e.FieldHarvested) -> str:
    when = "At the end " if event.final else ""
    sold = f"harvested {words.cards(event.cards)} from field {event.field}"
    pay = counted(event.coins, "coin") if event.coins else "nothing"
    return f"{when}{player(state, event.seat)} {sold} for {pay}."


def _third_field_bought(words: Words, state: GameState, event: e.ThirdFieldBought) -> str:
    paid = f"{words.cards(event.paid)}{', which leave the game' if event.boxed else ''}"
    return f"{player(state, event.seat)} bought a third field for the coins {paid}."


# --- trading -----------------------------------------------------------------------------------------------


def _offer_made(words: Words, state: GameState, event: e.OfferMade) -> str:
    to = "everybody" if event.to is None else player(state, event.to)
    given = [words.cards(event.hand_cards)] if event.hand_cards else []
    given += revealed_cards(words, state, event.revealed)
    wanted = words.wanted(event.want) + revealed_cards(words, state, event.want_revealed)
    given += ["a promise to spare them"] if event.spare else []
    wanted += ["a promise to be spared"] if event.want_spared else []
    linked = "" if event.counters is None else f", countering offer {event.counters}"
    who = player(state, event.seat)
    if not given:
        return f"Offer {event.offer}{linked}: {who} asked {to} for {listed(wanted)}, giving nothing."
    return f"Offer {event.offer}{linked}: {who} offered {to} {listed(given)} for {listed(wanted)}."


def revealed_cards(words: Words, state: GameState, numbers: tuple[int, ...]) -> list[str]:
    """The revealed cards with these numbers."""
    lying = dict(state.revealed)
    return [f"the revealed {words.card(lying.get(number, e.UNKNOWN_CARD))}" for number in numbers]


def _offer_declined(_words: Words, state: GameState, event: e.OfferDeclined) -> str:
    closed = ", which is closed now" if event.closed else ""
    return f"{player(state, event.seat)} declined offer {event.offer}{closed}."


def _offer_withdrawn(_words: Words, state: GameState, event: e.OfferWithdrawn) -> str:
    return f"{player(state, event.seat)} withdrew offer {event.offer}."


def _offer_lapsed(_words: Words, _state: GameState, event: e.OfferLapsed) -> str:
    return f"Offer {event.offer} lapsed."


def _trade_made(words: Words, state: GameState, event: e.TradeMade) -> str:
    active, partner = player(state, event.active), player(state, event.partner)
    given, paid = words.cards(event.active_cards), words.cards(event.partner_cards)
    return f"Offer {event.offer} was accepted: {active} gave {partner} {given} for {paid}."


def _trading_ended(words: Words, state: GameState, event: e.TradingEnded) -> str:
    kept = f", keeping {words.cards(event.kept)}" if event.kept else ""
    return f"{player(state, event.seat)} ended the trading{kept}."


def _talked(_words: Words, state: GameState, event: e.Talked) -> str:
    return f"{player(state, event.seat)} said: “{safe(event.text)}”"


# --- the end -----------------------------------------------------------------------------------------------


def _game_ended(_words: Words, state: GameState, event: e.GameEnded) -> str:
    scores = [
        f"{player(state, seat)} has {counted(score, event.unit.removesuffix('s'))}"
        for seat, score in enumerate(event.scores)
    ]
    winners = listed(player(state, seat) for seat in event.winners)
    won = f"{winners} won" if len(event.winners) == 1 else f"{winners} share the victory"
    return (
        f"The game ended, because {ENDINGS.get(event.reason, safe(event.reason))}: {listed(scores)}; {won}."
    )


def _secret_revealed(_words: Words, _state: GameState, event: e.SecretRevealed) -> str:
    return f"The dealer opened its secret: {safe(event.secret, 64)}."


SENTENCES: dict[type[e.DomainEvent], Callable[[Words, GameState, Any], str]] = {
    e.GameCreated: _game_created,
    e.SeatTaken: _seat_taken,
    e.GameStarted: _game_started,
    e.StartingSeatChosen: _starting_seat_chosen,
    e.HandDealt: _hand_dealt,
    e.DealerCalled: _dealer_called,
    e.PileShuffled: _pile_shuffled,
    e.PileExhausted: _pile_exhausted,
    e.CardsDrawn: _cards_drawn,
    e.CardsRevealed: _cards_revealed,
    e.TurnBegan: _turn_began,
    e.PhaseBegan: _phase_began,
    e.BeanPlanted: _bean_planted,
    e.AsidePlanted: _aside_planted,
    e.FieldHarvested: _field_harvested,
    e.ThirdFieldBought: _third_field_bought,
    e.OfferMade: _offer_made,
    e.OfferDeclined: _offer_declined,
    e.OfferWithdrawn: _offer_withdrawn,
    e.OfferLapsed: _offer_lapsed,
    e.TradeMade: _trade_made,
    e.TradingEnded: _trading_ended,
    e.Talked: _talked,
    e.GameEnded: _game_ended,
    e.SecretRevealed: _secret_revealed,
    **BEAN_DUEL,
    **THE_DUEL,
    **LADY_BOHN,
    **LADYBOHN,
}
"""One sentence per event type; a test holds this table against `AnyEvent`."""
