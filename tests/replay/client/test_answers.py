"""The client's structs say what the contract says, member by member."""

from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from replay.client import answers, branches, clocks, disputes, legal
from replay.client.answer import Answer
from service.openapi import contract

DESCRIBED = {
    "System": "SystemAnswer",
    "Systems": "SystemsAnswer",
    "NewSeat": "SeatAnswer",
    "NewGame": "NewGameAnswer",
    "ClockSettings": "ClockSettings",
    "Clock": "GameClock",
    "Expiries": "ExpiriesAnswer",
    "Reservation": "ReservationAnswer",
    "TakenSeat": "TakenSeatAnswer",
    "GameSummary": "GameSummary",
    "Page": "GamesAnswer",
    "GamesPage": "GamesAnswer",
    "NumberedCard": "NumberedCard",
    "SeatView": "SeatView",
    "Offer": "OpenOffer",
    "Result": "GameResult",
    "TableView": "StateAnswer",
    "Event": "EventAnswer",
    "EventsPage": "EventsAnswer",
    "Done": "CommandAnswer",
    "Verdict": "ValidationsAnswer",
    "LegalCommands": "LegalCommandsAnswer",
    "NewWebhook": "NewWebhookAnswer",
    "Webhook": "WebhookAnswer",
    "Delivery": "DeliveryAnswer",
    "DeliveriesPage": "DeliveriesAnswer",
    "Branch": "BranchAnswer",
    "BranchEvent": "BranchEvent",
    "BranchNode": "BranchNode",
    "BranchOrigin": "BranchOrigin",
    "BranchParting": "BranchParting",
    "BotsPlayed": "BranchBots",
    "Ruled": "RuledAnswer",
    "Person": "PersonAnswer",
    "QueuedCase": "QueuedAnswer",
    "QueuePage": "QueueAnswer",
    "DisputesOfGame": "DisputesAnswer",
    "Ruling": "RulingAnswer",
    "CaseEvent": "CaseEventAnswer",
    "Case": "WholeDisputeAnswer",
    "CaseStep": "StepAnswer",
}
"""The schema of the contract that each struct stands for."""
TYPES = {str: "string", int: "integer", bool: "boolean", NoneType: "null", dict: "object", tuple: "array"}
STRUCTS = {
    name: struct
    for module in (answers, branches, clocks, disputes, legal)
    for name, struct in vars(module).items()
    if isinstance(struct, type) and issubclass(struct, Answer) and struct is not Answer
}


def kinds(hint: Any) -> set[str]:
    """The JSON types that a type annotation takes."""
    if get_origin(hint) is UnionType:
        return set().union(*(kinds(each) for each in get_args(hint)))
    origin = get_origin(hint) or hint
    return {"object"} if issubclass(origin, msgspec.Struct) else {TYPES[origin]}


def described(schema: dict[str, Any], schemas: dict[str, Any]) -> set[str]:
    """The JSON types that a schema takes."""
    if "$ref" in schema:
        return described(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "allOf" in schema:
        return described(schema["allOf"][0], schemas)
    for choice in {"oneOf", "anyOf"} & set(schema):
        return set().union(*(described(each, schemas) for each in schema[choice]))
    if "enum" in schema and "type" not in schema:
        return {TYPES[type(each)] for each in schema["enum"]}
    return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])


@pytest.mark.parametrize("name", sorted(STRUCTS))
def test_a_struct_has_the_members_of_its_schema(name: str) -> None:
    """Each member is in the contract, of the same type, and required there where the struct requires it."""
    schemas = contract()["components"]["schemas"]
    if name in {"Hand", "DrawPile", "Program", "Wait"}:
        parent, member = {
            "Hand": ("SeatView", "hand"),
            "DrawPile": ("StateAnswer", "draw_pile"),
            "Program": ("SeatView", "program"),
            "Wait": ("GameClock", "waits"),
        }[name]
        schema = schemas[parent]["properties"][member]
        schema = schema.get("items", schema)
    elif name == "Entry":
        every, planted = schemas["Entry"], schemas["BeanPlantedEntry"]
        schema = {**every, "properties": every["properties"] | planted["properties"]}
    else:
        schema = schemas[DESCRIBED[name]]
    hints = get_type_hints(STRUCTS[name])
    for each in msgspec.structs.fields(STRUCTS[name]):
        assert described(schema["properties"][each.name], schemas) <= kinds(hints[each.name]), each.name
        if each.required:
            assert each.name in schema["required"], each.name
