"""What a command does, told to the player who may send it: `Plant a blue bean on field 1`, `Accept offer 3`.

A command that is ready to be sent is told with everything that it says, a form with its verb only. The texts are
short enough for buttons and say no more than the seat sees.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from events import commands as c
from events.commands import Command
from events.domain_events import Card, FieldHarvested
from events.rules.definition.forms import AcceptForm, AskTakeBackForm, Form
from events.rules.definition.rule_system import Rules
from events.rules.interventions.ending import DRAWN
from events.rules.systems.ladybohn_expansion.fans import fans_of
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.state import GameState, NumberedCard, Seat
from replay.commentary.commentary import Commentary

_CONTEXT: Final = "command"
_Said = tuple[str, dict[str, Any]]
"""The key of a message, and what it names."""


class Chooser(NamedTuple):
    """A seat that has a choice.

    Attributes:
        tell: the words for its game.
        rules: those that it is played by.
        state: the table as the seat sees it.
        seat: its number.
    """

    tell: Commentary
    rules: Rules
    state: GameState
    seat: int

    @property
    def own(self) -> Seat:
        """What lies before it."""
        return self.state.seats[self.seat]


def describe_command(chooser: Chooser, command: Command | Form) -> str:
    """A command that the seat may send, as a short text without a full stop."""
    say = _SAY.get(type(command))
    if say is not None:
        key, values = say(chooser, command)
    else:
        key = str(command.__struct_config__.tag)
        names = chooser.tell.messages.variables(_CONTEXT, key)
        values = {name: getattr(command, name) for name in names}
    return chooser.tell.messages.say(_CONTEXT, key, **values)


# --- planting and harvesting -------------------------------------------------------------------------------


def _plant(chooser: Chooser, command: c.Plant) -> _Said:
    return _planting(chooser, "plant", chooser.own.hand[0][1], command)


def _plant_aside(chooser: Chooser, command: c.PlantAside) -> _Said:
    return _planting(chooser, "plant_aside", _card(chooser.own.aside, command.card), command)


def _planting(chooser: Chooser, key: str, card: Card, command: c.Plant | c.PlantAside) -> _Said:
    values = {"card": chooser.tell.names.one(card), "field": command.field}
    if command.miss is None:
        return key, values
    return f"{key}.moving", values | _move(chooser, command.miss, command.places)


def _move_miss(chooser: Chooser, command: c.MoveMiss) -> _Said:
    return "move_miss", {"field": command.field, **_move(chooser, command.miss, command.places)}


def _move(chooser: Chooser, miss: int, places: int) -> dict[str, Any]:
    return {"place": miss, "places": chooser.tell.count("places", places)}


def _harvest(chooser: Chooser, command: c.Harvest) -> _Said:
    tell, field = chooser.tell, chooser.own.fields[command.field]
    coins = _coins(chooser, command)
    key = f"harvest.{command.reward}" if command.reward else "harvest" if coins else "harvest.for_nothing"
    named = {"field": command.field, "cards": tell.cards(field), "coins": tell.count("coins", coins)}
    if command.rotate is None:
        return key, named
    top = chooser.own.fields[command.rotate][-1]
    return "harvest.rotating", {
        "harvest": tell.messages.say(_CONTEXT, key, **named),
        "rotate": command.rotate,
        "card": tell.names.one(top),
    }


def _coins(chooser: Chooser, command: c.Harvest) -> int:
    """What the harvest brings; where the reward decides about it, the least without a coin and the most with one."""
    rules, field = chooser.rules, chooser.own.fields[command.field]
    harvested = FieldHarvested(chooser.seat, command.field, field, 0)
    # None at all where the coins come from the piles, which pay as the beanometer says too.
    paid = rules.system.may_pay(rules, chooser.state, harvested) or (rules.coins_for(field),)
    return max(paid) if command.reward == "coin" else min(paid)


# --- cards that are named by their numbers, and what is answered to others ---------------------------------


def _from_hand(key: str) -> Callable[[Chooser, Any], _Said]:
    def say(chooser: Chooser, command: Any) -> _Said:
        return key, {"card": chooser.tell.names.one(_card(chooser.own.hand, command.card))}

    return say


def _revealed(key: str) -> Callable[[Chooser, Any], _Said]:
    def say(chooser: Chooser, command: Any) -> _Said:
        card = chooser.tell.names.one(_card(chooser.state.revealed, command.card))
        return key, {"card": card, "field": getattr(command, "field", None)}

    return say


def _accept(chooser: Chooser, command: c.Accept) -> _Said:
    cards = [_card(chooser.own.hand, number) for number in command.hand]
    cards += [_card(chooser.state.revealed, number) for number in command.revealed]
    if not cards:
        return "accept", {"offer": command.offer}
    return "accept.giving", {"offer": command.offer, "cards": chooser.tell.cards(cards)}


def _card(cards: Sequence[NumberedCard], number: int) -> Card:
    return dict(cards)[number]


def _own_or_others(key: str, asked: str) -> Callable[[Chooser, Any], _Said]:
    """A question is declined by others, and withdrawn by the seat that asked it."""

    def say(chooser: Chooser, _command: Any) -> _Said:
        question = getattr(chooser.state, asked)
        return (f"{key}.own" if question.seat == chooser.seat else key), {}

    return say


def _agree_take_back(chooser: Chooser, _command: c.AgreeTakeBack) -> _Said:
    asked: Any = chooser.state.take_back
    return "agree_take_back", {"version": asked.to_version}


def _accept_end(chooser: Chooser, _command: c.AcceptEnd) -> _Said:
    offered: Any = chooser.state.end_offer
    return _end("accept_end", offered.kind)


def _end(key: str, kind: str) -> _Said:
    return f"{key}.{'drawn' if kind == DRAWN else 'called_off'}", {}


# --- what one rule system has ------------------------------------------------------------------------------


def _gift(key: str) -> Callable[[Chooser, Any], _Said]:
    def say(chooser: Chooser, command: Any) -> _Said:
        names, state = chooser.tell.names, chooser.state
        revealed = state.revealed if chooser.seat == state.active else ()
        beans = {names.variety(card) for _, card in (*chooser.own.hand, *revealed)}
        return (key if command.variety in beans else f"{key}.bluff"), {"card": names.one(command.variety)}

    return say


def _accept_gift(chooser: Chooser, _command: c.AcceptGift) -> _Said:
    gift = duel_of(chooser.state).gifts[-1]
    return "accept_gift", {"card": chooser.tell.names.one(gift.variety)}


def _claim_bonus(chooser: Chooser, command: c.ClaimBonus) -> _Said:
    owner = chooser.tell.player(chooser.state, command.owner)
    bonus = chooser.tell.names.bonus(command.bonus)
    return "claim_bonus", {"bonus": bonus, "field": command.field, "owner": owner}


def _swap_hand(chooser: Chooser, command: c.SwapHand) -> _Said:
    fan = fans_of(chooser.state)[command.fan]
    return "swap_hand", {"fan": command.fan, "cards": chooser.tell.cards(fan)}


def _levy(chooser: Chooser, command: c.Levy) -> _Said:
    how = {0: "levy.none", 1: "levy.one"}.get(len(command.seats), "levy")
    return how, {"players": chooser.tell.players(chooser.state, command.seats)}


_SAY: Final[Mapping[type, Callable[[Chooser, Any], _Said]]] = MappingProxyType(
    {
        c.Plant: _plant,
        c.PlantAside: _plant_aside,
        c.MoveMiss: _move_miss,
        c.Harvest: _harvest,
        c.Accept: _accept,
        AcceptForm: lambda _chooser, form: ("accept.choosing", {"offer": form.offer}),
        c.Discard: _from_hand("discard"),
        c.GiveFromHand: _from_hand("give_from_hand"),
        c.GiveRevealed: _revealed("give_revealed"),
        c.PlantRevealed: _revealed("plant_revealed"),
        c.DiscardRevealed: _revealed("discard_revealed"),
        c.AskTakeBack: lambda _chooser, asked: ("ask_take_back.version", {"version": asked.to_version}),
        AskTakeBackForm: lambda _chooser, _form: ("ask_take_back", {}),
        c.AgreeTakeBack: _agree_take_back,
        c.DeclineTakeBack: _own_or_others("decline_take_back", "take_back"),
        c.OfferEnd: lambda _chooser, offered: _end("offer_end", offered.kind),
        c.AcceptEnd: _accept_end,
        c.DeclineEnd: _own_or_others("decline_end", "end_offer"),
        c.OfferGift: _gift("offer_gift"),
        c.CounterGift: _gift("counter_gift"),
        c.AcceptGift: _accept_gift,
        c.ClaimBonus: _claim_bonus,
        c.DiscardBonus: lambda chooser, command: (
            "discard_bonus",
            {"bonus": chooser.tell.names.bonus(command.bonus)},
        ),
        c.SwapHand: _swap_hand,
        c.Levy: _levy,
    }
)
"""For commands and forms whose message or what it names is not simply their type and their members."""
