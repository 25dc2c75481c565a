"""The members of requests, each with what it means: the contract has that, and the reference page shows it.

Each takes what it means, what checks its value, and its default: without one it is required, and with `LEFT_OUT` it
is not there where it is not given.
"""

import re
from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate

from events.rules.definition.names import LONGEST_NAME, check_name
from events.rules.errors import BadName
from replay.platform.whole_numbers import is_whole

LEFT_OUT: Final[Any] = ma.missing
_REQUIRED: Final[Any] = object()
SEAT: Final = validate.Range(min=0, max=9)
SIZE: Final = validate.Range(min=0, max=2**53)
VERSION: Final = validate.Range(min=1, max=2**53)


def means(text: str) -> dict[str, str]:
    """The metadata of a field that means this."""
    return {"description": text}


def _settings(meaning: str, checks: tuple[Any, ...], default: Any) -> dict[str, Any]:
    presence = {"required": True} if default is _REQUIRED else {"load_default": default}
    return {"metadata": means(meaning), "validate": checks, **presence}


class Pattern(validate.Regexp):
    """A pattern that the whole value has to fit: `$` alone would let a line feed follow."""

    def __call__(self, value: Any) -> Any:
        """The value, where it fits."""
        if re.fullmatch(str(self.regex.pattern), value) is None:
            raise ma.ValidationError(self._format_error(value))
        return value


class Text(fields.String):
    """A string; `name` is what it is called where Python has another use for that."""

    def __init__(self, meaning: str, *checks: Any, default: Any = _REQUIRED, name: str | None = None) -> None:
        """What it means, how it is checked, and what it is by default."""
        super().__init__(data_key=name, **_settings(meaning, checks, default))


class Name(Text):
    """A name that people are shown by, under the one rule for names; empty only where that is its default."""

    def __init__(self, meaning: str, *, longest: int = LONGEST_NAME, default: Any = _REQUIRED) -> None:
        """Take what it means, its longest form, and its default."""
        least = None if default == "" else 1
        super().__init__(meaning, validate.Length(min=least, max=longest), self._check, default=default)
        self._longest = longest

    def _check(self, name: str) -> None:
        if name:
            try:
                check_name(name, longest=self._longest)
            except BadName as refused:
                raise ma.ValidationError(str(refused)) from refused


class Number(fields.Integer):
    """An integer; in a query, where all is text, it is written out."""

    def __init__(self, meaning: str, *checks: Any, default: Any = _REQUIRED, name: str | None = None) -> None:
        """What it means, how it is checked, and what it is by default."""
        super().__init__(data_key=name, **_settings(meaning, checks, default))

    def _bind_to_schema(self, field_name: str, parent: ma.Schema | fields.Field[Any]) -> None:
        super()._bind_to_schema(field_name, parent)
        self.strict = not isinstance(parent, Query)

    def _validated(self, value: Any) -> Any:
        if not self.strict and isinstance(value, str) and not is_whole(value):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


class Truth(fields.Boolean):
    """`true` or `false` in a body, by default the latter."""

    def __init__(self, meaning: str) -> None:
        """What it means."""
        super().__init__(truthy={True}, falsy={False}, **_settings(meaning, (), default=False))


class Many(fields.List[Any]):
    """An array."""

    def __init__(self, meaning: str, each: fields.Field[Any], *checks: Any, default: Any = _REQUIRED) -> None:
        """What it means, what is in it, how it is checked, and what it is by default."""
        super().__init__(each, **_settings(meaning, checks, default))


class Part(fields.Nested):
    """An object of this schema."""

    def __init__(self, meaning: str, schema: type[ma.Schema], *, default: Any = _REQUIRED) -> None:
        """What it means, what it is made of, and what it is by default."""
        super().__init__(schema, **_settings(meaning, (), default))


class Query(ma.Schema):
    """Base of query parameters: unknown ones are refused."""

    class Meta:
        """Settings of the schema."""

        unknown = ma.RAISE


class Flag(fields.Boolean):
    """A parameter that is `true` or `false`."""

    def __init__(self, meaning: str, *, default: bool | None = False) -> None:
        """`default` where it is not given."""
        super().__init__(truthy={"true"}, falsy={"false"}, **_settings(meaning, (), default))


class Limit(Number):
    """How many entries a page has at most: more than there may be is as many as may be, and 0 the usual number."""

    def __init__(self, usual: int, most: int, least: int = 0) -> None:
        """`usual` where none is asked for, never more than `most`, nor less than `least`."""
        meaning = "How many entries a page has at most. More than there may be is as many as may be."
        super().__init__(meaning, validate.Range(min=least), default=usual)
        self.usual = usual
        self.most = most

    def deserialize(self, value: Any, *others: Any, **more: Any) -> Any:
        """The number asked for, where it is within bounds."""
        return min(super().deserialize(value, *others, **more) or self.usual, self.most)


CURSOR: Final = Text(
    "Where to go on: the `next` of an earlier page. Without it the list begins.",
    validate.Length(max=200),
    default=None,
)
