"""Tables for tests: rules resolved for a table, seats and states put together by hand, and games from the start."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Literal

from events import commands as c
from events.domain_events import Card
from events.game.table import Table, new_table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import Bean, BonusCard, Catalogue, shipped_catalogue
from events.rules.definition.forms import Form, matches
from events.rules.definition.rule_system import Rules, rules_for
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.table.state import Field, GameState, Seat

SECRET = "5eed" * 16
"""The dealer's secret of the games in tests."""
STARTED = 1_700_000_000_000
"""When games in tests start: milliseconds since 1970."""

OptionValues = dict[str, str | int | bool]


def rules_of(
    system: str,
    players: int,
    options: Mapping[str, str | int | bool] | None = None,
    catalogue: Catalogue | None = None,
) -> Rules:
    """The rules of a system for a table."""
    asked = system_named(system)
    return rules_for(asked, players, options or {}, catalogue or shipped_catalogue(asked.catalogue))


def classic_rules(players: int = 3, catalogue: Catalogue | None = None, **options: str | int) -> Rules:
    """The rules of `classic` for a table."""
    return rules_of("classic", players, options, catalogue)


def seat_with(
    hand: tuple[Card, ...] = (),
    fields: tuple[Field, ...] = ((), ()),
    coins: tuple[Card, ...] = (),
    aside: tuple[Card, ...] = (),
) -> Seat:
    """One player's side of a table: cards in hand and aside are numbered from 1; three fields mean one was bought."""
    return Seat(
        name="somebody",
        kind="human",
        hand=tuple(enumerate(hand, 1)),
        next_number=len(hand) + 1,
        fields=fields,
        third_field=len(fields) > 2,
        coins=coins,
        aside=tuple(enumerate(aside, 1)),
        next_aside=len(aside) + 1,
    )


def all_cards(state: GameState) -> Counter[Card]:
    """Every card on the table, wherever it lies."""
    numbered = chain(state.revealed, *(chain(seat.hand, seat.aside) for seat in state.seats))
    owned = chain.from_iterable((seat.coins, *seat.fields) for seat in state.seats)
    fans = chain.from_iterable(state.ladybohn_expansion.fans if state.ladybohn_expansion else ())
    return Counter(
        chain(state.draw_pile, state.discard_pile, state.box, fans, *owned, (card for _, card in numbered))
    )


def is_offered(choices: list[c.Command | Form], command: c.Command) -> bool:
    """Whether a command is among these legal ones: it fills a form, or is listed.

    The order in which an acceptance names its cards does not count.
    """
    return any(
        _in_order(choice) == _in_order(command) if isinstance(choice, c.Command) else matches(choice, command)
        for choice in choices
    )


def _in_order(command: c.Command) -> c.Command:
    if isinstance(command, c.Accept):
        return c.Accept(command.offer, tuple(sorted(command.hand)), tuple(sorted(command.revealed)))
    return command


def is_legal(rules: Rules, state: GameState, seat: int, command: c.Command) -> bool:
    """Whether `legal_commands` names the command for this seat."""
    return is_offered(legal_commands(rules, state, seat), command)


def new_game(
    players: int = 3,
    options: Mapping[str, str | int | bool] | None = None,
    catalogue: Catalogue | None = None,
    secret: str = SECRET,
    system: str = "classic",
) -> tuple[Table, list[RecordedEvent]]:
    """A game that has just begun: seats taken, each with a seed of its own, hands dealt."""
    deck = catalogue or shipped_catalogue(system_named(system).catalogue)
    table, log = new_table(
        "game", system, players, options=dict(options or {}), catalogue=deck, secret=secret, at=STARTED
    )
    for seat in range(players):
        command = c.TakeSeat(seat, f"player {seat}", "human", seed=f"seed-{seat}")
        table, entries = table.submit(HOST, command, STARTED + seat)
        log += entries
    return table, log


def all_different(cards: int = 104) -> Catalogue:
    """A deck in which no card occurs twice and nothing ever pays: every card's way can be followed by its name."""
    beans = tuple(
        Bean(card=f"card_{number:03}_", copies=1, beanometer={"1": cards + 1}, provenance="house", names={})
        for number in range(cards)
    )
    bonus = tuple(
        BonusCard(card=f"card_{900 + number}_", sequence=(bean.card,), cents=10, provenance="house")
        for number, bean in enumerate(beans[:32])
    )
    return Catalogue(
        name="all-different",
        title="No card twice",
        total=cards,
        source="made up",
        beans=beans,
        rising=tuple(bean.card for bean in beans),
        bonus_total=len(bonus),
        bonus=bonus,
    )


def families_of_different(families: int = 6, size: int = 14) -> Catalogue:
    """A deck of families in which no card occurs twice; half of them are misses, which pay more than they have."""
    sexes: tuple[Literal["male", "female", "baby"], ...] = ("male", "female", "baby", "female")
    beans = tuple(
        Bean(
            card=f"card_{number:03}_",
            copies=1,
            beanometer={"male": {"1": 4}, "female": {"2": 1, "4": 2}, "baby": {}}[sexes[number % 4]],
            provenance="house",
            names={},
            family=f"family_{number // size}",
            sex=sexes[number % 4],
        )
        for number in range(families * size)
    )
    return Catalogue(
        name="families", title="No card twice", total=families * size, source="made up", beans=beans
    )
