"""What belongs to one player: name, coins, hand, fields, and what lies beside them."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

from events.domain_events import UNKNOWN_CARD
from replay.exports.page.scene.parts import Ingredients, Moment, Parts, Values, Words
from replay.terminal.table_text import meter, movable_misses, place_of_quota_field

_Make = Callable[[Words, Moment, int], Values]


def _who_of(moment: Moment, number: int) -> Ingredients:
    seat = moment.state.seats[number]
    return (
        *(seat.kind, seat.bot, seat.program, seat.program_version, seat.away),
        *(seat.name, moment.names),
    )


def _who(words: Words, moment: Moment, number: int) -> Values:
    seat = moment.state.seats[number]
    return (words.tell.player_and_kind(moment.state, number) if seat.kind else None,)


def _hand(words: Words, moment: Moment, number: int) -> Values:
    """The cards, front first; or how many there are, where the viewer knows none of them."""
    hand = moment.state.seats[number].hand
    if all(card == UNKNOWN_CARD for _, card in hand):
        return (len(hand),)
    return (words.cards.numbered(hand),)


def _coins_of(moment: Moment, number: int) -> Ingredients:
    return (len(moment.state.seats[number].coins),)


def _coins(_words: Words, moment: Moment, number: int) -> Values:
    return _coins_of(moment, number)


def _aside(words: Words, moment: Moment, number: int) -> Values:
    return (words.cards.numbered(moment.state.seats[number].aside) or None,)


def _fields_of(moment: Moment, number: int) -> Ingredients:
    state = moment.state
    return state.seats[number].fields, place_of_quota_field(state, number), movable_misses(state, number)


def _fields(words: Words, moment: Moment, number: int) -> Values:
    return ([*_each_field(words, moment, number)],)


def _each_field(words: Words, moment: Moment, number: int) -> Iterator[dict[str, Any]]:
    """Each field: its name, its cards from bottom to top, what they pay, and what is missing to the next coin."""
    fields, quota, movable = _fields_of(moment, number)
    for place, field in enumerate(fields):
        shown: dict[str, Any] = {
            "name": words.tell.label("quota" if place == quota else "field", number=place).strip(),
            "cards": words.cards.runs(field),
        }
        pays, missing = meter(words.rules, field)
        if pays is not None:
            shown["pays"] = pays
        if missing is not None:
            shown["missing"] = missing
        if place in movable:
            shown["moves"] = movable.count(place)
        yield shown


def _result_of(moment: Moment, number: int) -> Ingredients:
    result = moment.state.result
    return () if result is None else (result, *_coins_of(moment, number))


def _result(words: Words, moment: Moment, number: int) -> Values:
    result = moment.state.result
    if result is None:
        return None, None
    unit, score = result.unit, result.scores[number]
    is_told = (unit, score) == ("coins", len(moment.state.seats[number].coins))
    return None if is_told else words.tell.count(unit, score), True if number in result.winners else None


def _bonus_of(moment: Moment, number: int) -> Ingredients:
    duel = moment.state.duel
    return () if duel is None else (duel.seats[number].bonus, duel.seats[number].claimed)


def _bonus(words: Words, moment: Moment, number: int) -> Values:
    duel, names = moment.state.duel, words.tell.names
    if duel is None:
        return None, None
    own = duel.seats[number]
    return (
        names.bonus_cards(own.bonus) if own.bonus else None,
        names.bonus_cards(own.claimed) if own.claimed else None,
    )


def _of_seated(moment: Moment, number: int, made_of: Callable[[Moment, int], Ingredients]) -> Ingredients:
    """What parts are made of that are there as soon as the player has fields."""
    return made_of(moment, number) if moment.state.seats[number].fields else ()


def _seated(words: Words, moment: Moment, number: int, make: _Make, count: int) -> Values:
    return make(words, moment, number) if moment.state.seats[number].fields else (None,) * count


def _parts(
    number: int, names: tuple[str, ...], made_of: Callable[[Moment, int], Ingredients], make: _Make
) -> Parts:
    return Parts(
        tuple([f"{number}.{name}" for name in names]),
        partial(_of_seated, number=number, made_of=made_of),
        partial(_seated, number=number, make=make, count=len(names)),
    )


@cache
def own_parts(number: int) -> tuple[Parts, ...]:
    """Those parts of a player that the player may see otherwise than everybody does."""
    return (
        _parts(number, ("hand",), lambda moment, number: (moment.state.seats[number].hand,), _hand),
        _parts(number, ("bonus", "claimed"), _bonus_of, _bonus),
    )


@cache
def player_parts(number: int) -> tuple[Parts, ...]:
    """The parts of a player in the order in which they stand in a scene."""
    hand, bonus = own_parts(number)
    return (
        Parts((f"{number}.who",), partial(_who_of, number=number), partial(_who, number=number)),
        _parts(number, ("coins",), _coins_of, _coins),
        hand,
        _parts(number, ("fields",), _fields_of, _fields),
        _parts(number, ("aside",), lambda moment, number: (moment.state.seats[number].aside,), _aside),
        _parts(number, ("score", "won"), _result_of, _result),
        bonus,
    )
