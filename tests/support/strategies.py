"""Generated tests: dice, random games, random fillings of forms, random commands and events."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import settings
from hypothesis import strategies as st

from events import commands as c
from events.commands.leaving import LEAVING
from events.game.dealing import below, dealers_command, numbers
from events.game.table import Table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import Catalogue
from events.rules.decide import play
from events.rules.definition.forms import AcceptForm, AskTakeBackForm, CounterForm, Form, OfferForm, SayForm
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.move import DEALER, Move
from events.rules.systems.registry import system_named
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from tests.support.depth import depth
from tests.support.tables import STARTED, new_game

fifty_examples = settings(deadline=None, derandomize=True, database=None, max_examples=50)
"""For tests over generated values: always the same ones, however slow the machine."""
some_examples = settings(fifty_examples, max_examples=depth(15, 50))
"""For those that do it for each of many types."""

_Item = TypeVar("_Item")
LONGEST_GAME = 6000
"""Commands after which a random game is given up as endless."""


class Dice:
    """Choices that follow from a seed and are the same on every Python."""

    def __init__(self, seed: object) -> None:
        """Begin the stream of this seed."""
        self._numbers = numbers(hashlib.sha256(str(seed).encode()).digest(), "test")

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1."""
        return below(self._numbers, bound)

    def chance(self, percent: int) -> bool:
        """True that often."""
        return self.below(100) < percent

    def pick(self, items: Sequence[_Item]) -> _Item:
        """One of the items."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[_Item], most: int) -> tuple[_Item, ...]:
        """Up to `most` different items, in any order."""
        left = list(items)
        count = self.below(min(most, len(left)) + 1)
        return tuple([left.pop(self.below(len(left))) for _ in range(count)])


# --- filling forms -----------------------------------------------------------------------------------------


def fill(form: Form, dice: Dice) -> c.Command:
    """A command that matches the form."""
    match form:
        case OfferForm():
            return c.Offer(dice.pick(form.to), **_trade(form, dice))
        case CounterForm():
            return c.Counter(dice.pick(form.offer), **_trade(form, dice))
        case AcceptForm():
            return _acceptance(form, dice)
        case SayForm():
            return c.Say(
                dice.pick(("any blue?", "two for one", "j'ai un Cogné", "no", "\N{SEEDLING}" * form.longest))
            )
        case AskTakeBackForm():
            version = dice.pick(form.to_version or (1,))
            return c.AskTakeBack(version, seen_confirmed=version not in form.nothing_seen or dice.chance(50))


def _trade(form: OfferForm | CounterForm, dice: Dice) -> dict[str, Any]:
    trade: dict[str, Any] = {
        "hand": dice.some(form.hand, 2),
        "revealed": dice.some(form.revealed, 2),
        "want": {card: 1 + dice.below(min(2, form.want[card])) for card in dice.some(list(form.want), 1)},
        "want_revealed": dice.some(form.want_revealed, 2),
    }
    if not any(trade.values()):
        card = dice.pick(list(form.want))
        trade["want"] = {card: 1 + dice.below(form.want[card])}
    if form.promises:
        trade |= {"spare": dice.chance(30), "want_spared": dice.chance(30)}
    return trade


def _acceptance(form: AcceptForm, dice: Dice) -> c.Accept:
    hand: list[int] = []
    revealed = list(form.revealed)
    for payment in form.payments:
        left = [(hand, number) for number in payment.hand if number not in hand]
        left += [(revealed, number) for number in payment.revealed if number not in revealed]
        for _ in range(payment.count):
            place, number = left.pop(dice.below(len(left)))
            place.append(number)
    return c.Accept(form.offer, tuple(hand), tuple(revealed))


# --- commands of any kind, legal or not --------------------------------------------------------------------


def any_command(kind: type[c.Command], state: GameState, seat: int, dice: Dice) -> c.Command:
    """A well-typed command of this kind: sometimes legal, often nearly."""
    if kind is c.AskTakeBack:
        return c.AskTakeBack(dice.below(100), seen_confirmed=dice.chance(70))
    own = state.seats[seat]
    hand, aside = [number for number, _ in own.hand], [number for number, _ in own.aside]
    revealed = [number for number, _ in state.revealed]
    cards = [card for player in state.seats for _, card in player.hand] + [card for _, card in state.revealed]
    values: dict[str, Any] = {
        "field": dice.below(5) - 1,
        "card": dice.pick([*aside, *revealed, *hand[-2:], dice.below(4)]),
        "offer": dice.pick([*(each.number for each in state.offers), dice.below(3)]),
        "to": dice.pick([None, *range(-1, len(state.seats) + 1)]),
        "hand": _named(hand, dice),
        "revealed": _named(revealed, dice) if dice.chance(40) else (),
        "want": _wanted(cards, dice),
        "want_revealed": _named(revealed, dice) if dice.chance(40) else (),
        "variety": dice.pick([*cards, "blue", "?"]),
        "bonus": dice.pick(["c10_122", *(state.duel.seats[seat].bonus if state.duel else ())]),
        "owner": dice.pick([*range(-1, len(state.seats) + 1)]),
        "spare": dice.chance(20),
        "want_spared": dice.chance(20),
        "rotate": dice.pick((None, None, -1, 0, 1, 2, 3)),
        "reward": dice.pick(("", "", "", "coin", "field", "levy")),
        "fan": dice.below(4) - 1,
        "seats": _payers(state, seat, dice),
        "text": dice.pick(
            ("hello", "", "  ", "x" * 500, "x" * 501, "two\nlines", "\x7f", "\ud800", "\u2028", "é")
        ),
    }
    if kind is c.OfferEnd:
        values |= {"kind": dice.pick(("drawn", "called_off", "abandoned", ""))}
    if "miss" in kind.__struct_fields__:
        values |= _moved_miss(kind, state, seat, dice)
    return kind(**{name: values[name] for name in kind.__struct_fields__})


def _moved_miss(kind: type[c.Command], state: GameState, seat: int, dice: Dice) -> dict[str, Any]:
    """Which miss moves how far; where a trade has left the seat a move, mostly a miss of that field."""
    table, fields = state.ladybohn, state.seats[seat].fields
    mine = [field for owner, field in table.moves if owner == seat] if table is not None else []
    if kind is c.MoveMiss and mine and dice.chance(80):
        field = dice.pick(mine)
        misses = [place for place, card in enumerate(fields[field]) if card.endswith("_female")]
        return {"field": field, "miss": dice.pick([*misses, 0]), "places": 1 + dice.below(2)}
    moves = dice.chance(40) or kind is c.MoveMiss
    return {"miss": dice.below(6) - 1 if moves else None, "places": dice.below(4) if moves else 0}


def _payers(state: GameState, seat: int, dice: Dice) -> tuple[int, ...]:
    """Mostly some of the others who have coins, else anybody, nobody's seat and one named twice."""
    if dice.chance(60):
        rich = [number for number, other in enumerate(state.seats) if other.coins and number != seat]
        return dice.some(rich, 3)
    return dice.some([*range(-1, len(state.seats) + 1)], 4) + (0,) * dice.chance(10)


def _named(held: list[int], dice: Dice) -> tuple[int, ...]:
    named = dice.some(held, 2)
    if dice.chance(10):
        named = (*named, dice.pick([*held, 0, 99]))
    return named


def _wanted(cards: list[str], dice: Dice) -> dict[str, int]:
    if dice.chance(50):
        return {}
    return {
        dice.pick([*cards, "blue", "?"]): dice.pick((1, 1, 1, 2, 6, 0, -1, 21))
        for _ in range(1 + dice.below(2))
    }


# --- random games ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One command of a game: the table before, who sent what, the entries, the table after."""

    before: Table
    seat: int
    command: c.Command
    entries: list[RecordedEvent]
    after: Table


@dataclass(frozen=True)
class Opening:
    """A game that has just begun, and its log so far."""

    table: Table
    log: list[RecordedEvent]


def opening(
    seed: object,
    players: int,
    options: Mapping[str, str | int | bool],
    catalogue: Catalogue | None = None,
    *,
    system: str = "classic",
) -> Opening:
    """A game dealt from a secret that follows from the seed."""
    secret = hashlib.sha256(f"secret {seed}".encode()).hexdigest()
    return Opening(*new_game(players, options, catalogue, secret, system))


def play_on(table: Table, dice: Dice, leaving: int = 0) -> Iterator[Step]:
    """Random legal commands up to the end; `leaving` as for `next_command`."""
    for moment in range(1, LONGEST_GAME):
        if table.state.status != "running":
            return
        seat, command = next_command(table.rules, table.state, dice, leaving)
        after, entries = table.submit(seat, command, max(table.log.at, STARTED + 1000 * moment))
        yield Step(table, seat, command, entries, after)
        table = after
    raise AssertionError(f"a random game has not ended after {LONGEST_GAME} commands")


def bare_game(begun: Table, seed: object, leaving: int = 0) -> Iterator[Move]:
    """Random legal commands from the start to the end without log and hashes, move by move."""
    dice = Dice(seed)
    rules, state, secret = begun.rules, begun.state, begun.secret
    for _ in range(LONGEST_GAME):
        if state.due is not None:
            move = play(rules, state, DEALER, dealers_command(rules, state, secret))
        elif state.status == "running":
            move = play(rules, state, *next_command(rules, state, dice, leaving))
        else:
            return
        yield move
        state = move.state
    raise AssertionError(f"a random game has not ended after {LONGEST_GAME} commands")


def next_command(rules: Rules, state: GameState, dice: Dice, leaving: int = 0) -> tuple[int, c.Command]:
    """Who acts next and how: mostly whoever the game waits for, while trading anybody.

    So many times in a thousand somebody leaves, comes back, or offers or answers to end the game together.
    """
    if dice.chance(60 if state.phase == "trade" else 5):
        seat = dice.below(rules.players)
    else:
        seat = dice.pick(waiting_for(state))
    listed = legal_commands(rules, state, seat)
    beside = [each for each in listed if isinstance(each, LEAVING)]
    if leaving and beside and dice.below(1000) < leaving:
        return seat, dice.pick(beside)
    choices: Sequence[c.Command | Form] = [each for each in listed if not isinstance(each, LEAVING)]
    serious = [each for each in choices if not isinstance(each, SayForm)]
    patient = [each for each in serious if not isinstance(each, c.Harvest)]
    if patient and dice.chance(85):
        choices = patient
    elif serious and dice.chance(90):
        choices = serious
    chosen = dice.pick(choices)
    return seat, chosen if isinstance(chosen, c.Command) else fill(chosen, dice)


def option_sets(players: int, system: str = "classic") -> list[dict[str, str | int | bool]]:
    """Ways to set up a table of a system for so many players, in which every value of every option occurs."""
    options = system_named(system).options
    values = {name: option.allowed(players) for name, option in options.items()}
    ways = max((len(allowed) for allowed in values.values()), default=1)
    return [
        {
            name: allowed[(way + way // len(allowed) * shift) % len(allowed)]
            for shift, (name, allowed) in enumerate(values.items())
        }
        for way in range(ways)
    ]


# --- values, for hypothesis --------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
integers = st.integers(-(2**53) + 1, 2**53 - 1)
names_of_members = st.text(st.characters(max_codepoint=0x7E, min_codepoint=0x20), max_size=10)
json_values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names_of_members, inner, max_size=4),
    max_leaves=20,
)


def structs(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Values of a struct type, made from its annotations."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: _values(hints[name]) for name in kind.__struct_fields__})


def _values(hint: Any) -> st.SearchStrategy[Any]:
    simple = {str: texts, int: integers, bool: st.booleans(), type(None): st.none()}
    if hint in simple:
        return simple[hint]
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return structs(hint)
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        return st.lists(_values(inner[0]), max_size=4).map(tuple)
    if get_origin(hint) is dict:
        return st.dictionaries(_values(inner[0]), _values(inner[1]), max_size=4)
    assert get_origin(hint) in (UnionType, Union), hint
    return st.one_of([_values(each) for each in inner])
