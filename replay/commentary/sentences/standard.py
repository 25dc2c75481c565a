"""What happens at every table: setting up, turns, trading, rulings, and the end."""

from typing import TYPE_CHECKING, Any

from events import domain_events as e
from events.rules.interventions.ending import DRAWN, NEVER_BEGUN
from events.rules.interventions.rewinding import REDEAL
from events.rules.interventions.time import REASONS
from events.rules.table.state import GameState
from replay.commentary.texts import NAME_LENGTH, duration, make_printable

if TYPE_CHECKING:
    from replay.commentary.commentary import Commentary


def _dealer_called_key(event: e.DealerCalled) -> str:
    if event.task in {"starting_seat", "secret"}:
        return f"dealer_called.{event.task}"
    what = ".redeal" if event.purpose == REDEAL else ".owed" if event.count else ""
    return f"dealer_called.shuffle{what}"


def _offer_made_key(event: e.OfferMade) -> str:
    gives = event.hand_cards or event.revealed or event.spare
    wants = event.want or event.want_revealed or event.want_spared
    how = "" if gives and wants else ".for_nothing" if gives else ".asking"
    return f"offer_made{how}{'.to_all' if event.to is None else ''}"


def _game_ended(tell: "Commentary", state: GameState, event: e.GameEnded) -> dict[str, Any]:
    scores = [
        tell.part("score", player=tell.player(state, seat), score=tell.count(event.unit, score))
        for seat, score in enumerate(event.scores)
    ]
    winners = tell.players(state, event.winners)
    return {"reason": tell.known("ending", event.reason), "scores": tell.listed(scores), "winners": winners}


def _offer_made(tell: "Commentary", state: GameState, event: e.OfferMade) -> dict[str, Any]:
    given, wanted = tell.sides(state, event)
    label = (
        tell.part("offer", offer=event.offer)
        if event.counters is None
        else tell.part("counter", offer=event.offer, counters=event.counters)
    )
    return {"label": label, "given": tell.listed(given), "wanted": tell.listed(wanted)}


def _trade_made(tell: "Commentary", state: GameState, event: e.TradeMade) -> dict[str, Any]:
    """Where only one side gave cards, it is the giver: what it gave, it gave for nothing."""
    sides = [(event.active, event.active_cards), (event.partner, event.partner_cards)]
    if not event.active_cards:
        sides.reverse()
    (giver, given), (partner, paid) = sides
    return {
        "giver": tell.player(state, giver),
        "partner": tell.player(state, partner),
        "given": tell.cards(given),
        "paid": tell.cards(paid),
    }


def _time_expired_key(event: e.TimeExpired) -> str:
    """Only the time for a move counts turns."""
    what = "offer" if event.offer is not None else "move" if event.strikes else "take_back"
    return f"time_expired.{what}"


def _ruling_made(tell: "Commentary", _state: GameState, event: e.RulingMade) -> dict[str, Any]:
    return {
        "arbiter": make_printable(event.arbiter, NAME_LENGTH),
        "ruling": tell.known("ruling", event.kind),
        "scope": _in_a_line(event.scope),
        "reason": _in_a_line(event.reason),
    }


def _in_a_line(text: str) -> str:
    """A text that may have paragraphs."""
    return make_printable(" ".join(line for line in text.split("\n") if line))


KEYS = {
    e.SeatTaken: lambda event: (
        f"seat_taken.{event.kind if event.kind in {'bot', 'program'} else 'person'}{'.seeded' if event.seed else ''}"
    ),
    e.DealerCalled: _dealer_called_key,
    e.CardsRevealed: lambda event: "cards_revealed" if event.cards else "cards_revealed.none",
    e.CardsDrawn: lambda event: "cards_drawn" if event.cards else "cards_drawn.none",
    e.FieldHarvested: lambda event: "field_harvested" if event.coins else "field_harvested.for_nothing",
    e.ThirdFieldBought: lambda event: "third_field_bought.boxed" if event.boxed else "third_field_bought",
    e.OfferMade: _offer_made_key,
    e.OfferDeclined: lambda event: "offer_declined.closed" if event.closed else "offer_declined",
    e.TradeMade: lambda event: (
        "trade_made" if event.active_cards and event.partner_cards else "trade_made.for_nothing"
    ),
    e.TradingEnded: lambda event: "trading_ended.keeping" if event.kept else "trading_ended",
    e.GameEnded: lambda event: {0: "game_ended.nobody", 1: "game_ended"}.get(
        len(event.winners), "game_ended.shared"
    ),
    e.GameRewound: lambda event: "game_rewound.ruled" if event.case else "game_rewound.agreed",
    e.EndOffered: lambda event: f"end_offered.{'drawn' if event.kind == DRAWN else 'called_off'}",
    e.GameClosed: lambda event: (
        f"game_closed.{'never_begun' if event.reason == NEVER_BEGUN else 'untouched'}"
    ),
    e.TakeBackAsked: lambda event: "take_back_asked.seen" if event.seen_confirmed else "take_back_asked",
    e.TimeExpired: _time_expired_key,
    e.TimeCredited: lambda event: "time_credited" + (f".{event.reason}" if event.reason in REASONS else ""),
}
VARIABLES = {
    e.SeatTaken: lambda _tell, _, event: {
        "program": make_printable(f"{event.program} {event.program_version}", 2 * NAME_LENGTH)
    },
    e.GameCreated: lambda tell, _, event: {"seats": tell.count("seats", event.players)},
    e.GameStarted: lambda tell, _, event: {"fields": tell.count("fields", event.fields)},
    e.DealerCalled: lambda tell, _, event: {"cards": tell.count("more_cards", event.count)},
    e.PileShuffled: lambda tell, _, event: {
        "time": tell.messages.nth_time(event.number),
        "cards": tell.count("cards", len(event.order)),
    },
    e.PileExhausted: lambda tell, _, event: {
        "pile": tell.pile(event.pile, "pile as subject"),
        "time": tell.messages.nth_time(event.times),
    },
    e.FieldHarvested: lambda tell, _, event: {"coins": tell.count("coins", event.coins)},
    e.ThirdFieldBought: lambda tell, _, event: {"cards": tell.cards(event.paid)},
    e.OfferMade: _offer_made,
    e.TradeMade: _trade_made,
    e.TradingEnded: lambda tell, _, event: {"cards": tell.cards(event.kept)},
    e.GameEnded: _game_ended,
    e.GamePaused: lambda tell, _, event: {"reason": tell.known("dispute", event.reason)},
    e.RulingMade: _ruling_made,
    e.TimeExpired: lambda tell, _, event: {"turns": tell.count("turns_so_far", event.strikes)},
    e.TimeCredited: lambda _tell, _, event: {"duration": duration(event.until - event.since)},
}
