"""Tables of `the-duel` for tests: put together by hand, or a game from the start."""

from events import commands as c
from events.domain_events import Card
from events.game.table import Table, new_table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import Catalogue, shipped_catalogue
from events.rules.definition.rule_system import Rules, rules_for
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.systems.the_duel.table import DuelSeat, DuelState, Gift
from events.rules.table.state import Field, GameState, Seat
from tests.support.given import Given
from tests.support.tables import SECRET, STARTED, OptionValues

EMPTY: tuple[Field, ...] = ((), (), ())
BONUS_PILE: tuple[Card, ...] = ("c40_123", "c40_234", "c40_345", "c40_456", "c40_567", "c40_678")


def duel_rules(catalogue: Catalogue | None = None, options: OptionValues | None = None) -> Rules:
    """The rules of `the-duel`."""
    return rules_for(system_named("the-duel"), 2, options or {}, catalogue or shipped_catalogue("the-duel"))


def side(
    hand: tuple[Card, ...] = (),
    fields: tuple[Field, ...] = EMPTY,
    coins: tuple[Card, ...] = (),
    aside: tuple[Card, ...] = (),
) -> Seat:
    """One player's beans: cards in hand and aside are numbered from 1."""
    return Seat(
        name="somebody",
        kind="human",
        hand=tuple(enumerate(hand, 1)),
        next_number=len(hand) + 1,
        fields=fields,
        coins=coins,
        aside=tuple(enumerate(aside, 1)),
        next_aside=len(aside) + 1,
    )


def given_duel(
    own: Seat,
    other: Seat,
    *,
    phase: str = "plant",
    active: int = 0,
    planted: int = 0,
    revealed: tuple[Card, ...] = (),
    gifts: tuple[tuple[int, str], ...] = (),
    discarded: bool = False,
    bonus: tuple[DuelSeat, DuelSeat] = (DuelSeat(), DuelSeat()),
    bonus_pile: tuple[Card, ...] = BONUS_PILE,
    bonus_discards: tuple[Card, ...] = (),
    draw_pile: tuple[Card, ...] = ("green",) * 20,
    exhaustions: int = 0,
) -> Given:
    """A running game of `own` (seat 0) and `other` (seat 1), `gifts` being those pushed so far."""
    state = GameState(
        game="game",
        system="the-duel",
        status="running",
        seats=(own, other),
        active=active,
        turn=1,
        phase=phase,
        planted=planted,
        revealed=tuple(enumerate(revealed, 1)),
        next_revealed=len(revealed) + 1,
        draw_pile=draw_pile,
        shuffles=1,
        exhaustions=exhaustions,
        duel=DuelState(
            seats=bonus,
            pile=bonus_pile,
            discards=bonus_discards,
            shuffles=1,
            gifts=tuple(Gift(seat, variety) for seat, variety in gifts),
            discarded=discarded,
        ),
    )
    return Given(duel_rules(), state)


def new_duel(
    options: OptionValues | None = None, catalogue: Catalogue | None = None, secret: str = SECRET
) -> tuple[Table, list[RecordedEvent]]:
    """A game that has just begun: both seats taken, everything dealt."""
    deck = catalogue or shipped_catalogue("the-duel")
    table, log = new_table(
        "game", "the-duel", 2, options=options or {}, catalogue=deck, secret=secret, at=STARTED
    )
    for seat in range(2):
        table, entries = table.submit(
            HOST, c.TakeSeat(seat, f"player {seat}", "human", seed=f"seed-{seat}"), STARTED + seat
        )
        log += entries
    return table, log
