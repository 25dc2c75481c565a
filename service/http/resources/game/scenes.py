"""Scenes: the table as parts ready to be drawn, in a language, with what the caller may do."""

from typing import Any

from flask import Response

from events.game.table import Table
from events.log.disclosure import ALL, viewer_name
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.commentary.commands import Chooser, describe_command
from replay.exports.page.cards import Cards
from replay.exports.page.scene import Scenes
from replay.terminal.clock_text import describe_clock
from replay.terminal.table_text import phase_after
from replay.timeline.knowledge import Knowledge, knowledge
from service.http.context.callers import Caller, Viewpoint, view_as
from service.http.context.open_tables import seen_table
from service.http.context.services import services
from service.http.contract.access import GUESTS
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import EYES, LONG_WORK, VERSION
from service.http.follow.freshness import table_at
from service.http.follow.table_bodies import following_game, state_body
from service.http.messages.bodies import json_response, legal_now, list_commands
from service.http.messages.caching import drawn_tag, is_known
from service.http.resources.game.histories import timeline_in_turn
from service.http.schemas.queries import SceneQuery

blueprint = Resource("scenes", __name__, url_prefix="/v1/games", description="Scenes")


@blueprint.get("/<string:game>/scene")
@Operation(
    GUESTS,
    "SceneAnswer",
    EYES | VERSION | LONG_WORK,
    links={
        "follow": Link(
            "read_events", {**SAME_GAME, "after": "$response.body#/version"}, "What happens after it."
        ),
        "send": Link("send_commands", SAME_GAME, "Send one of them.", "$response.body#/commands/0/command"),
        "scrub": Link("read_history", SAME_GAME, "The tables up to this one."),
    },
)
@blueprint.arguments(SceneQuery, location="query")
def show_scene(query: dict[str, Any], game: str, caller: Caller) -> Response:
    """Show the table as parts ready to be drawn, as the caller may see it, now or at an earlier version.

    A seat that looks at the newest version with its own eyes is also told what it may send, each with a text.
    """
    seen = view_as(caller, query["viewer"])
    if caller.seat is not None:
        services().presence.seen(game, caller.seat)
    table = seen.table if query["at"] is None else table_at(seen.loaded, query["at"])
    is_playing = query["at"] is None and caller.seat is not None and caller.seat == seen.viewer
    form, language = "play" if is_playing else "scene", query["text"]
    knows = query["knowledge"] and seen.viewer != ALL
    following = following_game(table)
    if following:
        form = f"{form}-next"
    if knows:
        form = f"{form}-knowledge"
    tag = drawn_tag(table.version, table.hash, seen.viewer, form, language)
    if is_known(tag):
        return Response(headers={"ETag": tag})
    answer = scene_body(seen, table, language, is_playing=is_playing)
    answer["table"] |= following
    if knows:
        answer["knowledge"] = _knowledge(seen, table)
    return json_response(answer, headers={"ETag": tag})


def _knowledge(seen: Viewpoint, table: Table) -> Knowledge:
    """What a viewpoint could know for certain at the version of a table of its game."""
    with timeline_in_turn(seen.loaded, seen.viewer, table.version) as timeline:
        state = timeline.at(table.version).state
        known = timeline.recording.at(table.version).moment.known
        return knowledge(table.rules.catalogue, state, known, seen.viewer)


def scene_body(seen: Viewpoint, table: Table, language: str, *, is_playing: bool) -> dict[str, Any]:
    """What a viewpoint shows of a table of its game, to be drawn; `is_playing` adds what its seat may send."""
    opened = services().open_tables.at(table)
    state = services().shown_names.show(seen_table(table.state, opened.state, seen.viewer))
    catalogue = table.rules.catalogue
    tell = Commentary(catalogue, language)
    cards = Cards.of_catalogue(tell, catalogue)
    clock = describe_clock(tell, state, table.log.clock, opened.at)
    scene = Scenes(tell, cards, table.rules).scene(state, phase_after(opened.type, state.phase), clock)
    return {
        "game": table.game,
        "version": table.version,
        "hash": table.hash,
        "viewer": viewer_name(seen.viewer),
        "language": language,
        "system": state.system,
        "status": state.status,
        "phase": state.phase or None,
        "cards": cards.known,
        "card_keys": cards.keys,
        "scene": scene,
        "table": state_body(seen, table, services().shown_names),
        **({"commands": _choices(tell, state, table, seen.viewer)} if is_playing else {}),
    }


def _choices(tell: Commentary, state: GameState, table: Table, seat: int) -> list[dict[str, Any]]:
    """What the seat may send, each with a text; `state` is the table as it sees it."""
    legal = legal_now(table, seat)
    chooser = Chooser(tell, table.rules, state, seat)
    return [
        {"text": describe_command(chooser, each), "command": body}
        for each, body in zip(legal, list_commands(legal), strict=True)
    ]
