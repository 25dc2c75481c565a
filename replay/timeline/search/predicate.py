"""The predicate language of `find`: `seat=2 and type=trade_made and card=chili`.

    predicate   = term { "or" term }
    term        = factor { "and" factor }
    factor      = "not" factor | "(" predicate ")" | comparison
    comparison  = field ( "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" ) value
    value       = number | name | text in single or double quotes

A comparison holds if any value of the field in the entry does; `!=` holds where `=` does not. `~` asks whether a text
holds another one, whatever its case.
"""

import operator
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Final

from replay.timeline.search.fields import Field, SearchedEntry

Predicate = Callable[[SearchedEntry], bool]
LONGEST: Final = 2_000
"""Characters of a predicate at most."""
DEEPEST: Final = 40
"""Brackets and `not` within one another at most."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<sign><=|>=|!=|[=<>~()])|(?P<quoted>"[^"]*"|'[^']*')|(?P<word>[^\s=<>~()!"']+))"""
)
_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_SIGNS = ("=", "!=", *_ORDERS, "~")
_SHOWN = 12


class NotUnderstood(Exception):
    """A predicate cannot be read.

    Attributes:
        position: the character at which it stops making sense, counted from 0.
        reason: what is wrong there, and what could stand there.
    """

    def __init__(self, position: int, reason: str) -> None:
        """Say where and why."""
        super().__init__(f"at character {position + 1}: {reason}")
        self.position = position
        self.reason = reason


def parse(text: str, fields: Mapping[str, Field]) -> Predicate:
    """The predicate that a text says.

    Raises:
        NotUnderstood: it says none.
    """
    if len(text) > LONGEST:
        raise NotUnderstood(LONGEST, f"a predicate has at most {LONGEST} characters")
    return _Parser(text, fields).whole()


class _Parser:
    """Reads a predicate from left to right."""

    def __init__(self, text: str, fields: Mapping[str, Field]) -> None:
        self._fields = fields
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def whole(self) -> Predicate:
        found = self._either()
        if self._kind != "end":
            raise NotUnderstood(self._position, f"expected 'and', 'or' or the end, not {self._shown}")
        return found

    # --- the grammar ---------------------------------------------------------------------------------------

    def _either(self) -> Predicate:
        terms = [self._all()]
        while self._accept("or"):
            terms.append(self._all())
        return terms[0] if len(terms) == 1 else lambda seen: any(term(seen) for term in terms)

    def _all(self) -> Predicate:
        factors = [self._factor()]
        while self._accept("and"):
            factors.append(self._factor())
        return factors[0] if len(factors) == 1 else lambda seen: all(factor(seen) for factor in factors)

    def _factor(self) -> Predicate:
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotUnderstood(self._position, f"brackets and 'not' go at most {DEEPEST} deep")
        if self._accept("not"):
            inner = self._factor()
            found: Predicate = lambda seen: not inner(seen)  # noqa: E731 - one of three ways to say it
        elif self._accept("("):
            found = self._either()
            if not self._accept(")"):
                raise NotUnderstood(self._position, f"expected 'and', 'or' or ')', not {self._shown}")
        else:
            found = self._comparison()
        self._depth -= 1
        return found

    def _comparison(self) -> Predicate:
        field = self._field()
        sign_position, sign = self._position, self._text
        if sign not in _SIGNS or self._kind != "sign":
            raise NotUnderstood(sign_position, f"expected one of {' '.join(_SIGNS)}, not {self._shown}")
        if sign in _ORDERS and not field.numeric:
            raise NotUnderstood(sign_position, f"{field.name} is a text; it can be compared with = != ~")
        if sign == "~" and field.numeric:
            raise NotUnderstood(
                sign_position, f"{field.name} is a number; it can be compared with = != < <= > >="
            )
        self._next += 1
        return _compile_comparison(field, sign, self._value(field, sign))

    def _field(self) -> Field:
        known = ", ".join(self._fields)
        if self._kind != "word":
            what = f"a field ({known}), 'not' or '('"
            raise NotUnderstood(self._position, f"expected {what}, not {self._shown}")
        field = self._fields.get(self._text)
        if field is None:
            raise NotUnderstood(self._position, f"there is no field {self._shown}; there are {known}")
        self._next += 1
        return field

    def _value(self, field: Field, sign: str) -> str | int:
        position, kind, value = self._position, self._kind, self._text
        if kind not in ("word", "quoted"):
            what = "a number" if field.numeric else "a name or a text in quotes"
            raise NotUnderstood(position, f"expected {what} after {sign}, not {self._shown}")
        self._next += 1
        if field.numeric:
            if not re.fullmatch(r"[0-9]{1,9}", value):
                raise NotUnderstood(position, f"{field.name} is a number, not {value[:40]!r}")
            return int(value)
        if sign != "~" and field.allowed and value not in field.allowed:
            raise NotUnderstood(
                position, f"there is no {field.name} {value[:40]!r}; {_alternatives(field, value)}"
            )
        return value

    # --- tokens --------------------------------------------------------------------------------------------

    @property
    def _kind(self) -> str:
        return self._tokens[self._next][0]

    @property
    def _text(self) -> str:
        return self._tokens[self._next][1]

    @property
    def _position(self) -> int:
        return self._tokens[self._next][2]

    @property
    def _shown(self) -> str:
        return "the end" if self._kind == "end" else repr(self._text[:40])

    def _accept(self, word: str) -> bool:
        """Whether this stands here; then it is read."""
        here = self._kind in ("word", "sign") and self._text == word
        self._next += here
        return here


def _tokens(text: str) -> list[tuple[str, str, int]]:
    """Kind, text and position of each token, and an end."""
    found, place = [], 0
    while place < len(text.rstrip()):
        token = _TOKEN.match(text, place)
        if token is None:
            start = place + len(text[place:]) - len(text[place:].lstrip())
            missing = (
                "this quote is not closed" if text[start] in "\"'" else f"{text[start]!r} means nothing here"
            )
            raise NotUnderstood(start, missing)
        kind = str(token.lastgroup)
        value = token[kind]
        found.append((kind, value[1:-1] if kind == "quoted" else value, token.start(kind)))
        place = token.end()
    return [*found, ("end", "", len(text))]


def _alternatives(field: Field, value: str) -> str:
    if len(field.allowed) <= _SHOWN:
        return f"there are {', '.join(field.allowed)}"
    close = get_close_matches(value, field.allowed, 3, 0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"such as {', '.join(field.allowed[:_SHOWN])}"


def _compile_comparison(field: Field, sign: str, value: str | int) -> Predicate:
    values = field.values
    if sign == "=":
        return lambda seen: value in values(seen)
    if sign == "!=":
        return lambda seen: value not in values(seen)
    if sign == "~":
        sought = str(value).casefold()
        return lambda seen: any(sought in str(each).casefold() for each in values(seen))
    holds = _ORDERS[sign]
    return lambda seen: any(holds(each, value) for each in values(seen))
