"""The contract as one document: what the application says of itself, with the tables of all problems."""

from functools import cached_property
from typing import Any, Final

import msgspec
from flask_smorest import Api

from service.http.contract_codes import problem_tables
from service.http.packed import Packed

EXTENSION: Final = "fieldbook-contract"


class WholeContract:
    """The contract of an application."""

    def __init__(self, api: Api) -> None:
        """Of the application with these resources."""
        self._api = api

    @cached_property
    def document(self) -> dict[str, Any]:
        """All of it."""
        said: dict[str, Any] = self._api.spec.to_dict()
        introduction = said["info"]["description"] + problem_tables() + "\n"
        return {**said, "info": {**said["info"], "description": introduction}}

    @cached_property
    def as_json(self) -> Packed:
        """The same as JSON, made when it is asked for first."""
        return Packed.of(msgspec.json.encode(self.document, order="sorted"), "application/json")
