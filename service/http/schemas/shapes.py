"""What the schemas of answers are made of, as OpenAPI writes it.

What is answered as it is kept is described by its struct, everything else by the types of its members.
"""

from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

Schema = dict[str, Any]

PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}

TEXT: Final[Schema] = {"type": "string"}
INTEGER: Final[Schema] = {"type": "integer"}
FLAG: Final[Schema] = {"type": "boolean"}
OBJECT: Final[Schema] = {"type": "object", "additionalProperties": {}}
"""An object that is not described any further."""
HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
COMPONENTS: Final = "#/components/schemas/"


def refer(name: str) -> Schema:
    """A reference to the schema of this name."""
    return {"$ref": f"{COMPONENTS}{name}"}


def list_of(item: Schema, description: str = "") -> Schema:
    """An array of these."""
    return {"type": "array", "items": item} | ({"description": description} if description else {})


def one_of(*values: str) -> Schema:
    """One of these strings."""
    return {"type": "string", "enum": list(values)}


def or_null(schema: Schema) -> Schema:
    """This, or null."""
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def describe_object(
    description: str, members: dict[str, Schema], optional: dict[str, Schema] | None = None
) -> Schema:
    """An object with these members."""
    return {
        "type": "object",
        "description": description,
        "properties": {**members, **(optional or {})},
        "required": list(members),
    }


def describe_answer(optional: dict[str, Any] | None = None, /, **members: Any) -> Schema:
    """An object with these members, each by its type or its schema; more may be added without notice."""
    return {
        "type": "object",
        "properties": {name: _describe(each) for name, each in {**members, **(optional or {})}.items()},
        "required": sorted(members),
        "additionalProperties": True,
    }


def members_of(struct: type[msgspec.Struct], *without: str) -> dict[str, Any]:
    """The types of a struct's members, but for these."""
    return {name: hint for name, hint in get_type_hints(struct).items() if name not in without}


def _describe(hint: Any) -> Schema:
    """The schema of a type, where it is not one already; a struct is not described any further."""
    if isinstance(hint, dict):
        return hint
    arguments = get_args(hint)
    if isinstance(hint, UnionType):
        (inner,) = (each for each in arguments if each is not NoneType)
        return or_null(_describe(inner))
    if get_origin(hint) in (list, tuple):
        return list_of(_describe(arguments[0]))
    return {"type": PLAIN[hint]} if hint in PLAIN else OBJECT


AT: Final = {"game": str, "version": int, "hash": str}
"""A game and where it stands."""
PAGE: Final = {"next": str | None}
"""The cursor of the following page, or null."""
RULED: Final = or_null(refer("RuledAnswer"))
