"""What an operation promises, beside its view: who may call it, how it refuses, where its answer leads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from flask_smorest import Blueprint

from service.http.contract.access import Access, View
from service.http.contract.headers import CACHED, ENTITY_TAG, refer_to
from service.http.contract.problems import (
    BODY,
    EVERYWHERE,
    JSON,
    NONE,
    Problems,
    list_codes,
    refer_to_problems,
)
from service.http.contract.request_headers import IF_NONE_MATCH, RequestHeader
from service.http.messages.reading import Parser, without_query
from service.http.schemas.shapes import refer

GAME: Final = {"game": "$response.body#/game"}
SAME_GAME: Final = {"game": "$request.path.game"}
SAME_CASE: Final = {**SAME_GAME, "dispute": "$request.path.dispute"}
_JSON: Final = "application/json"
METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})
"""What is an operation among the members of a path."""
_CONTRACT: Final = "contract"
"""As what flask-smorest hands on to `_describe` how an `Operation` completes its description."""


@dataclass(frozen=True)
class Link:
    """From an answer to a request that follows it; parameters and body as OpenAPI's runtime expressions."""

    to: str
    parameters: Mapping[str, str]
    description: str
    body: str | None = None

    def describe(self) -> dict[str, Any]:
        """The link as the contract has it."""
        link = {
            "operationId": self.to,
            "parameters": dict(self.parameters),
            "description": self.description,
        }
        return link if self.body is None else {**link, "requestBody": self.body}


def next_page(operation_id: str, parameter: str = "cursor", **others: str) -> dict[str, Link]:
    """The link to the following page of a list, whose answer has where to go on in `next`."""
    return {"next": Link(operation_id, {**others, parameter: "$response.body#/next"}, "The following page.")}


@dataclass(frozen=True)
class Operation:
    """What the contract says of an operation, whose name is its view's, beyond its parameters, body and answer.

    It is a decorator for views, above all others: who may call is found first. A view that reads no parameters of the
    query by a schema is only called where there are none.
    """

    access: Access
    answer: str = ""
    """The name of the schema of its answer, where that is JSON."""
    problems: Problems = NONE
    """What it can answer besides what every operation and its access can."""
    status: int = 200
    """That of its answer."""
    links: Mapping[str, Link] = field(default_factory=dict)
    takes: tuple[RequestHeader, ...] = ()
    gives: tuple[str, ...] = ()
    """Headers of the answer."""
    body: Mapping[str, Any] | None = None
    """The schema of a body that the view reads for itself, by media type."""
    forms: Mapping[str, str] = field(default_factory=dict)
    """Other forms of the answer, by media type: what each is."""
    otherwise: Mapping[str, str] = field(default_factory=dict)
    """Other answers without a body, by status: when they are given."""

    def __call__(self, view: View) -> View:
        """The view, which says all of this, for those who may call it."""
        # Where flask-smorest's own decorators store what they say.
        said = vars(view).get("_apidoc", {})
        arguments = said.get("arguments", {}).get("parameters", ())
        reads_query = any(each["in"] == "query" for each in arguments)
        authorized = self.access.authorize_first(view if reads_query else without_query(view))
        vars(authorized)["_apidoc"] = {**said, _CONTRACT: partial(self.complete, view.__name__)}
        return authorized

    def complete(self, name: str, document: dict[str, Any], *, method: str) -> dict[str, Any]:
        """The operation of this name as flask-smorest has found it, with all of this."""
        if self.body is not None:
            content = {media_type: {"schema": schema} for media_type, schema in self.body.items()}
            document["requestBody"] = {"required": True, "content": content}
        reads = method == "get"
        takes = (*((IF_NONE_MATCH,) if reads else ()), *self.takes)
        content = {_JSON: {"schema": refer(self.answer)}} if self.answer else {}
        texts = {
            media_type: {"schema": {"type": "string", "description": text}}
            for media_type, text in self.forms.items()
        }
        gives = (
            *((ENTITY_TAG, CACHED) if reads else ()),
            *self.gives,
            *(header for each in takes for header in each.answered),
        )
        answer: dict[str, Any] = {
            "description": HTTPStatus(self.status).phrase,
            "content": {**content, **texts},
        }
        if gives:
            answer["headers"] = refer_to(*gives)
        if self.links:
            answer["links"] = {name: link.describe() for name, link in self.links.items()}
        others: dict[str, Any] = {status: {"description": text} for status, text in self.otherwise.items()}
        if reads:
            others["304"] = {
                "description": "What If-None-Match names is still what there is.",
                "headers": refer_to(*gives),
            }
        problems = self.all_problems(frozenset(document.get("requestBody", {}).get("content", ())))
        return {
            **document,
            "operationId": name,
            "security": [dict(each) for each in self.access.security],
            "parameters": [*document.get("parameters", []), *(each.component for each in takes)],
            "responses": {str(self.status): answer, **others, **refer_to_problems(problems)},
            **list_codes(problems),
        }

    def all_problems(self, media_types: frozenset[str]) -> Problems:
        """Every problem that it can answer, where its body is of these media types."""
        body = NONE if not media_types else JSON if media_types == {_JSON} else BODY
        return EVERYWHERE.union(
            self.access.problems, self.problems, body, *(each.problems for each in self.takes)
        )


class Resource(Blueprint):
    """A blueprint whose views say by `Operation` what they promise."""

    ARGUMENTS_PARSER = Parser()

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """As flask-smorest's."""
        super().__init__(*arguments, **settings)
        self._prepare_doc_cbks.append(_describe)


def _describe(
    document: dict[str, Any], said: dict[str, Any], *, method: str, **_others: Any
) -> dict[str, Any]:
    described: dict[str, Any] = said[_CONTRACT](document, method=method)
    return described
