"""Reading requests: JSON bodies, query parameters, and what is wrong with them."""

import json
from collections.abc import Callable
from copy import copy
from functools import cache, wraps
from typing import IO, Any, Final, NoReturn

import marshmallow as ma
import msgspec
from flask import Request, request
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import ClientDisconnected

from service.http.messages.problems import Problem

LARGEST_BODY = 64 * 1024
"""Bytes of a request body at most."""
LARGEST_UPLOAD: Final = 64 * 1024 * 1024
"""Bytes of a file that is sent here at most: the record of every game that can be played here has fewer."""
_CHUNK: Final = 64 * 1024
_CUT_OFF: Final = (ClientDisconnected, OSError)


def json_body(incoming: Request | None = None) -> Any:
    """The request's body as a JSON value.

    Raises:
        Problem: 413 when it is too large, 415 when it is no JSON by its header, 400 when it cannot be read.
    """
    incoming = incoming or request
    _check_size(incoming.content_length or 0, LARGEST_BODY, "A body")
    if incoming.mimetype != "application/json":
        raise Problem(415, "unsupported_media_type", "Send the body with Content-Type: application/json.")
    charset = incoming.mimetype_params.get("charset", "utf-8").lower()
    if charset not in {"utf-8", "utf8"}:
        raise Problem(415, "unsupported_media_type", "Send JSON in UTF-8.")
    if incoming.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Problem(415, "unsupported_content_encoding", "Send the body without a Content-Encoding.")
    try:
        body = incoming.get_data()
    except _CUT_OFF as error:
        raise _cut_off() from error
    # One without a length is read up to MAX_CONTENT_LENGTH, one byte more than it may have.
    _check_size(len(body), LARGEST_BODY, "A body")
    return decode_json(body)


def decode_json(body: bytes) -> Any:
    """A body as a JSON value.

    Raises:
        Problem: 400 when it cannot be read.
    """
    try:
        value = msgspec.json.decode(body)
        # A member has a colon, so where there are no more colons than members none is there twice.
        if body.count(b":") != _members(value):
            json.loads(body, object_pairs_hook=_each_member_once)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Problem(400, "malformed_json", f"The body is no JSON in UTF-8: {error}.") from error
    return value


def save_body(into: IO[bytes], largest: int, what: str, advice: str = "") -> None:
    """Write the request's body, so many bytes at most, into a file, and go back to its beginning.

    `advice` is a sentence on what to do with one that is larger.

    Raises:
        Problem: 413 when it is too large, 400 when it cannot be read.
    """
    request.max_content_length = largest + 1
    _check_size(request.content_length or 0, largest, what, advice)
    try:
        while chunk := request.stream.read(_CHUNK):
            _check_size(into.tell() + len(chunk), largest, what, advice)
            into.write(chunk)
    except _CUT_OFF as error:
        raise _cut_off() from error
    into.seek(0)


def _check_size(size: int, largest: int, what: str, advice: str = "") -> None:
    if size > largest:
        raise Problem(413, "body_too_large", f"{what} has at most {largest} bytes. {advice}".rstrip())


def _cut_off() -> Problem:
    return Problem(400, "body_cut_off", "The body could not be read up to its end.")


def _members(value: Any) -> int:
    """How many members the objects in a JSON value have together."""
    if isinstance(value, dict):
        return len(value) + sum(map(_members, value.values()))
    return sum(map(_members, value)) if isinstance(value, list) else 0


def _each_member_once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that names a member twice: two readers could take two meanings from it."""
    found = dict(members)
    if len(found) != len(members):
        raise ValueError("an object names a member twice")
    return found


def schema_violation(messages: Any, *, in_query: bool = False) -> Problem:
    """A 422 for what marshmallow found wrong, each with a JSON Pointer or the parameter's name."""
    found = list(_flat(messages, ()))
    errors = [
        {"parameter" if in_query else "pointer": _place(path, in_query=in_query), "detail": text}
        for path, text in found
    ]
    shown = "; ".join(f"{'.'.join(path) or 'body'}: {text}" for path, text in found[:5])
    return Problem(
        422, "schema_violation", f"The request has another shape than it must: {shown}", errors=errors
    )


def _place(path: tuple[str, ...], *, in_query: bool) -> str:
    """The parameter's name, or a JSON Pointer (RFC 6901)."""
    if in_query:
        return path[0] if path else ""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path)


def _flat(messages: Any, path: tuple[str, ...]) -> Any:
    if isinstance(messages, dict):
        for name, inner in messages.items():
            hidden = str(name) in {"_schema", "key", "value"} and not (path and path[-1] == "options")
            yield from _flat(inner, path if hidden else (*path, str(name)[:60]))
    elif isinstance(messages, list):
        for inner in messages:
            yield from _flat(inner, path)
    else:
        yield path, str(messages)


@cache
def cached_schema(schema: type[ma.Schema]) -> ma.Schema:
    """A schema of this class, for all threads: loading changes nothing in it."""
    return schema()


@cache
def _defaults(schema: ma.Schema) -> dict[str, Any] | None:
    """What a query without parameters is read as; None where it is refused."""
    try:
        loaded: dict[str, Any] = schema.load({})
    except ma.ValidationError:
        return None
    return loaded


class Parser(FlaskParser):
    """Reads arguments as `json_body` does, and refuses what it does not know."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"json": ma.RAISE, "query": ma.RAISE}  # noqa: RUF012 - as the base class has it

    def parse(self, argmap: Any, *arguments: Any, **settings: Any) -> Any:
        """Read arguments by a schema, which is made once: making one costs more than reading by it.

        So does reading a query without parameters, which is what most requests have.
        """
        is_class = isinstance(argmap, type) and issubclass(argmap, ma.Schema)
        schema = cached_schema(argmap) if is_class else argmap
        if settings.get("location") == "query" and not request.query_string:
            defaults = _defaults(schema)
            if defaults is not None:
                return copy(defaults)
        return super().parse(schema, *arguments, **settings)

    def load_json(self, req: Request, schema: ma.Schema) -> Any:  # noqa: ARG002 - the base class's signature
        """The JSON body."""
        return json_body(req)

    def load_querystring(self, req: Request, schema: ma.Schema) -> Any:
        """The query's parameters, each once: of two values one would be passed over in silence."""
        twice = sorted({name for name, values in req.args.lists() if len(values) > 1})
        if twice:
            raise schema_violation(
                {name: ["This parameter is given twice."] for name in twice}, in_query=True
            )
        return super().load_querystring(req, schema)

    def handle_error(
        self,
        error: ma.ValidationError,
        req: Request,  # noqa: ARG002 - the base class's signature
        schema: ma.Schema,  # noqa: ARG002
        *,
        error_status_code: int | None,  # noqa: ARG002
        error_headers: Any,  # noqa: ARG002
    ) -> NoReturn:
        """Answer 422 with every member that is wrong."""
        messages = error.messages
        if isinstance(messages, dict) and "query" in messages:
            raise schema_violation(messages["query"], in_query=True)
        raise schema_violation(
            messages["json"] if isinstance(messages, dict) and "json" in messages else messages
        )


_PARSER = Parser()


def without_query(view: Callable[..., Any]) -> Callable[..., Any]:
    """The view, for requests without a query: every parameter in one is refused as unknown."""

    @wraps(view)
    def checked(*arguments: Any, **variables: Any) -> Any:
        if request.query_string:
            _PARSER.parse(ma.Schema, request, location="query")
        return view(*arguments, **variables)

    return checked
