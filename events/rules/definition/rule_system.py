"""What a rule system is made of. A system is a value: the short list of its numbers, phases and answers.

`RuleSystem` is what a file in `systems/` states; `Rules` is a system resolved for one table (number of players,
options, catalogue), and what `decide` and `legal_commands` work with.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from events.commands import Command, Say
from events.domain_events import Card, FieldHarvested
from events.rules.catalogues.catalogue import Bean, BonusCard, Catalogue
from events.rules.definition.forms import Form
from events.rules.errors import BadOption, RuleViolation, UnknownOption, WrongCatalogue, WrongPlayers
from events.rules.errors.printed_rules import HOUSE_RULE, Section, Topic
from events.rules.table.absence import who_can_win
from events.rules.table.state import Due, Field, GameState

if TYPE_CHECKING:
    from events.rules.move import Move

ENGINE_VERSION = 1
"""Changes whenever `decide` or the form of the state changes what an old game's audit would find."""

Decision = Callable[["Move", Any], None]
"""Checks a command, raises a RuleViolation or emits events on the move."""
Listing = Callable[["Rules", GameState, int], Iterator[Command | Form]]
"""Lists what a seat may send of one command type right now."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One command type in one phase: who may send it, what it does, what is legal."""

    decide: Decision
    legal: Listing
    active_only: bool = True
    topic: Topic = Topic.TURN
    """What the printed rule is about that keeps others than the active player from it."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the turn: its name and a table from command type to rule."""

    name: str
    rules: Mapping[type[Command], Rule]
    only_talk: bool = False
    """Whether of what is open at any time only talk is: somebody has to choose first."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made when a table is set up: its default, and what else it may be."""

    default: str | int | bool
    values: tuple[str | int | bool, ...]
    """All values allowed; `seats` stands for every seat number."""

    def allowed(self, players: int) -> tuple[str | int | bool, ...]:
        """What the option may be at a table of so many players."""
        others = tuple(value for value in self.values if value != "seats")
        return others + tuple(range(players)) if "seats" in self.values else others


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The numbers of a rule system for one number of players."""

    removed: tuple[Card, ...] = ()
    """Cards of the catalogue that stay in the box."""
    hand_sizes: tuple[int, ...] = (5,)
    """Cards dealt to the players clockwise from the starting player; the last size goes for all further ones."""
    fields: int = 2
    reveal: int = 2
    draw: int = 3
    exhaustions: int = 3
    """The draw pile is exhausted this often, then the game ends."""
    third_field_price: int | None = 3
    """Coins for the third field; None where it is not for sale."""
    third_field_boxed: bool = False
    """Whether these coins leave the game."""
    coins: int = 0
    """Cards dealt to each player as first coins."""
    bonus_hand: int = 0
    """Bonus cards that each player holds."""
    fans: tuple[int, ...] = ()
    """Cards in each of the fans that are laid out after the deal."""
    all_draw: bool = False
    """Whether in phase 4 every player draws so many cards, clockwise from the active player."""
    counts_drawn: bool = True
    """Whether always so many cards are drawn and revealed, or as many as there are: then verifiers count them."""
    want_cards: bool = False
    """Whether a trade may ask for a card, with its sex, and not only for a variety."""
    promises_bind: bool = False
    """Whether a trade may carry binding promises."""
    third_fields: int | None = None
    """How many third fields there are for all; None where everybody may have one."""
    paid_from_piles: tuple[Card, ...] = ()
    """With such a card on top a field of any size takes its coins from the discard pile and the draw pile."""
    hides_sex: bool = False
    """Whether an offered hand card shows only its family until the trade is made."""

    def hand_size(self, place: int) -> int:
        """Cards dealt to the player at this place, counted clockwise from the starting player at 0."""
        return self.hand_sizes[min(place, len(self.hand_sizes) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """How a turn goes on where no command says so."""

    begin_turn: Callable[["Move", int], None]
    """Begin the turn of this seat."""
    after_revealing: Callable[["Move"], None]
    """The revealed cards lie there."""
    after_planting_aside: Callable[["Move"], None]
    """Nothing lies aside any more."""
    after_drawing: Callable[["Move"], None]
    """The cards of phase 4 are drawn."""
    before_hands: Callable[["Move"], None] | None = None
    """What is dealt before the hands; None for nothing."""
    after_hands: Callable[["Move"], None] | None = None
    """The hands are dealt; None to begin the first turn."""
    before_final_harvest: Callable[["Move"], None] | None = None
    """What is counted at the end while everything still grows; None for nothing."""
    after_shuffle: Mapping[str, Callable[["Move", Due], None]] | None = None
    """How it goes on after a pile other than the draw pile was shuffled, by the name of the pile."""
    final_harvest: Callable[["Move"], None] | None = None
    """How all fields are sold at the end; None for one after the other."""


def count_coins(_rules: "Rules", state: GameState, seat: int) -> int:
    """A score in coins: the cards of the seat's coin stack."""
    return len(state.seats[seat].coins)


def _by_beanometer(rules: "Rules", state: GameState, harvest: FieldHarvested) -> tuple[int, ...]:
    return (rules.coins_for(state.seats[harvest.seat].fields[harvest.field]),)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSystem:
    """One set of printed rules."""

    key: str
    title: str
    version: int
    booklet: str
    sections: Mapping[Topic, Section]
    """Where its booklets have each topic that its refusals can belong to."""
    players: tuple[int, ...]
    catalogue: str
    options: Mapping[str, Option]
    setup: Callable[[int], Setup]
    flow: Flow
    phases: tuple[Phase, ...]
    any_time: Mapping[type[Command], Rule]
    break_tie: Callable[[GameState, tuple[int, ...]], tuple[int, ...]]
    """Who of these seats, which have the same and most coins, wins."""
    fields_for: Callable[["Rules", tuple[Field, ...], Card], tuple[int, ...]] | None = None
    """The fields that may take a card; None where a field grows one variety."""
    score: Callable[["Rules", GameState, int], int] = count_coins
    """What a seat has earned, in `unit`."""
    unit: str = "coins"
    may_pay: Callable[["Rules", GameState, FieldHarvested], tuple[int, ...]] = _by_beanometer
    """How many coins a `field_harvested` can bring, asked on the table before it; nothing where it cannot happen."""
    sexes: tuple[str, ...] = ("",)
    """The sexes of the cards that there are rules for; empty stands for cards without one."""
    make_up: bool = False
    """Whether there are rules for make-up beans."""

    def section_of(self, violation: RuleViolation) -> Section:
        """Where the printed rules of this system say what stands against a command."""
        return HOUSE_RULE if violation.topic is None else self.sections[violation.topic]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule system at one table."""

    system: RuleSystem
    players: int
    options: Mapping[str, str | int | bool]
    catalogue: Catalogue
    setup: Setup
    phases: Mapping[str, Phase]
    deck: tuple[Card, ...]
    copies: Mapping[Card, int]
    rank: Mapping[Card, int]
    variety: Mapping[Card, str]
    """What a field must hold for a card to be planted on it."""
    varieties: Mapping[str, int]
    """How many cards of each variety there are."""
    beans: Mapping[Card, Bean]
    """What the catalogue says of each card."""
    wantable: Mapping[str, int]
    """What a trade may ask for, and how many there are of it: varieties, and cards where the system says so."""
    pay: Mapping[Card, tuple[int, ...]]
    """For each card the coins that a field of 0, 1, 2 ... beans pays."""
    rising: Mapping[Card, int]
    """The place of each variety between the lowest and the highest; empty where that does not matter."""
    bonus: Mapping[Card, BonusCard]
    bonus_deck: tuple[Card, ...]

    def coins_for(self, cards: tuple[Card, ...]) -> int:
        """What a field pays by its beanometer; above the last step the pay stays at that step."""
        return self.pay[cards[-1]][len(cards)]

    def count_result(self, state: GameState) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What each seat has earned, and which seats win with that, after any tie is broken.

        Who has left ranks last: they win only where everybody has left.
        """
        scores = tuple(self.system.score(self, state, seat) for seat in range(self.players))
        best = max(scores[seat] for seat in who_can_win(state))
        tied = tuple(seat for seat in who_can_win(state) if scores[seat] == best)
        return scores, tied if len(tied) == 1 else self.system.break_tie(state, tied)

    def any_time_in(self, phase: Phase) -> Mapping[type[Command], Rule]:
        """What is open at any time, as far as it is open in this phase."""
        any_time = self.system.any_time
        return {Say: any_time[Say]} if phase.only_talk else any_time

    def in_order(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards in catalogue order, which says nothing about their places in a hand."""
        return tuple(sorted(cards, key=self.rank.__getitem__))

    def offered(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """What offered hand cards show of themselves, in an order that says no more than that."""
        if not self.setup.hides_sex:
            return self.in_order(cards)
        families = tuple(self.varieties)
        return tuple(sorted((self.variety[card] for card in cards), key=families.index))


def rules_for(
    system: RuleSystem, players: int, options: Mapping[str, str | int | bool], catalogue: Catalogue
) -> Rules:
    """Resolve a rule system for a table.

    Raises:
        WrongPlayers, WrongCatalogue, UnknownOption, BadOption: the system is not played like that.
    """
    if players not in system.players:
        allowed = ", ".join(map(str, system.players))
        raise WrongPlayers(f"{system.key} is played by {allowed}, not by {players}.")
    chosen = _with_defaults(system, players, options)
    return _resolve(_ByIdentity(system), players, tuple(chosen.items()), _ByIdentity(catalogue))


class _ByIdentity:
    """A value that is looked up by its identity: neither a system nor a catalogue can be hashed."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=64)
def _resolve(
    held_system: _ByIdentity,
    players: int,
    chosen: tuple[tuple[str, str | int | bool], ...],
    held_catalogue: _ByIdentity,
) -> Rules:
    """The rules of all tables that are set up like this: a process may know thousands of them."""
    system: RuleSystem = held_system.value
    catalogue: Catalogue = held_catalogue.value
    setup = system.setup(players)
    beans = tuple(bean for bean in catalogue.beans if bean.card not in setup.removed)
    deck = tuple(card for card in catalogue.deck() if card not in setup.removed)
    dealt = sum(setup.hand_size(place) + setup.coins for place in range(players)) + sum(setup.fans)
    if len(deck) <= dealt:
        raise WrongPlayers(f"The {len(deck)} cards of {catalogue.name} are too few for {players} players.")
    if setup.bonus_hand and (not catalogue.rising or len(catalogue.bonus) < setup.bonus_hand * players):
        raise WrongCatalogue(f"{catalogue.name} has no order of varieties, or too few bonus cards.")
    return Rules(
        system=system,
        players=players,
        options=MappingProxyType(dict(chosen)),
        catalogue=catalogue,
        setup=setup,
        phases=MappingProxyType({phase.name: phase for phase in system.phases}),
        deck=deck,
        copies=MappingProxyType({bean.card: bean.copies for bean in beans}),
        variety=MappingProxyType({bean.card: bean.variety for bean in beans}),
        varieties=MappingProxyType(_grown(beans)),
        beans=MappingProxyType({bean.card: bean for bean in beans}),
        wantable=MappingProxyType(_wantable(setup, beans)),
        rank=MappingProxyType({bean.card: rank for rank, bean in enumerate(beans)}),
        pay=MappingProxyType({bean.card: _pay(bean.beanometer, len(deck)) for bean in beans}),
        rising=MappingProxyType({variety: place for place, variety in enumerate(catalogue.rising)}),
        bonus=MappingProxyType({each.card: each for each in catalogue.bonus}),
        bonus_deck=catalogue.bonus_deck(),
    )


def _wantable(setup: Setup, beans: tuple[Bean, ...]) -> dict[str, int]:
    """Varieties first; a card with the name of a variety stands for that variety."""
    varieties = _grown(beans)
    cards = {bean.card: bean.copies for bean in beans} if setup.want_cards else {}
    return varieties | {card: copies for card, copies in cards.items() if card not in varieties}


def _grown(beans: tuple[Bean, ...]) -> dict[str, int]:
    grown: dict[str, int] = {}
    for bean in beans:
        grown[bean.variety] = grown.get(bean.variety, 0) + bean.copies
    return grown


def _with_defaults(
    system: RuleSystem, players: int, options: Mapping[str, str | int | bool]
) -> dict[str, str | int | bool]:
    for name, value in options.items():
        option = system.options.get(name)
        if option is None:
            known = ", ".join(sorted(system.options)) or "none"
            raise UnknownOption(f"{system.key} has no option '{name}'; it has: {known}.")
        allowed = option.allowed(players)
        if (type(value), value) not in [(type(each), each) for each in allowed]:
            shown = ", ".join(map(str, allowed))
            raise BadOption(f"The option '{name}' is one of {shown}, not '{value}'.")
    return {name: options.get(name, option.default) for name, option in system.options.items()}


def _pay(beanometer: Mapping[str, int], most: int) -> tuple[int, ...]:
    """The coins that a field of each size pays."""
    steps = dict(sorted((beans, int(coins)) for coins, beans in beanometer.items()))
    return tuple(accumulate((steps.get(size, 0) for size in range(most + 1)), max))
