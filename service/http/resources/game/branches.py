"""Branches: playing on from a version of a game, by hand or by bots. Nothing is kept: the token holds it all.

Who may see everything of a game may branch it: everybody once it has finished, arbiters while it is played too.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from flask import Response

from events.log.disclosure import ALL, PUBLIC
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from replay.branches import (
    BotsPlayed,
    Branch,
    BranchError,
    MoveRefused,
    decode_token,
    errors,
    find_origin,
    load_branch,
    new_branch,
    play_bots,
)
from replay.branches.bot_play import BadBots
from replay.branches.choices import choices
from replay.branches.saved.recordings import logged_game
from replay.branches.view import BranchView, branch_json, legal_json
from replay.commentary import Commentary
from replay.commentary.commands import Chooser, describe_command
from replay.commentary.messages import DEFAULT
from replay.exports.page.branches import build_branch
from service.http.context.callers import Caller, Viewpoint, view_as
from service.http.context.limits import is_alone, shares_of
from service.http.context.open_tables import seen_table
from service.http.context.places import Places
from service.http.context.services import services
from service.http.contract.access import GUESTS
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import EYES, MOVES, VERSION, of
from service.http.follow.freshness import table_at
from service.http.messages.bodies import json_response, list_commands
from service.http.messages.problems import Problem
from service.http.schemas.branches import BranchRequest

SECONDS: Final = 5.0
"""How long playing through and on may take; bots stop then, and can go on with the token."""
GIVES_WAY: Final = 4
"""While others are answered a branch rests after each step, for so many times as long as that took."""
LONGEST_REST_SECONDS: Final = 0.05
MOST_ENTRIES: Final = 4_096
"""A game with a longer log is branched with `fieldbook replay branch` only: every table after the version is kept."""
AT_ONCE: Final = 2
"""Branches being played in one process of the interface at most: each keeps it busy."""
OF_ONE: Final = 1
"""Of these of one caller, and of one address, at most."""

blueprint = Resource("branches", __name__, url_prefix="/v1/games", description="Branches")
_places = Places()


@blueprint.post("/<string:game>/branches")
@Operation(
    GUESTS,
    "BranchAnswer",
    EYES
    | VERSION
    | MOVES
    | of(
        422,
        "game_not_begun",
        "game_too_long",
        "branch_of_another_game",
        "no_such_node",
        "branch_too_large",
        "branch_too_long",
        "bad_bots",
        "bad_branch_token",
    )
    | of(503, "too_many_branches"),
    links={"look": Link("show_table", SAME_GAME, "The game that it parts from.")},
)
@blueprint.arguments(BranchRequest)
def play_branch(wanted: dict[str, Any], caller: Caller, **_game: str) -> Response:
    """Play on from a version, or in the branch of a token; nothing is kept, and the game is not touched.

    Cards come from the recorded deck as far as it is known, then from fresh chance; each event says from which.
    """
    seen = view_as(caller, "all")
    shares = shares_of(AT_ONCE, OF_ONE)
    if _places.take(shares) is not None:
        detail = "Other branches are being played; try again, or play it yourself: fieldbook replay branch."
        raise Problem(503, "too_many_branches", detail, headers={"Retry-After": "2"})
    try:
        return json_response(_play(seen, wanted))
    except MoveRefused as refused:
        raise _refusal(refused, refused.node, place=0) from refused
    except BranchError as error:
        raise _problem(error) from error
    finally:
        _places.give_back(shares)


def _play(seen: Viewpoint, wanted: dict[str, Any]) -> dict[str, Any]:
    until = time.monotonic() + SECONDS
    worked_since = time.monotonic()

    def go_on() -> bool:
        """Whether there is time left; commands of others have their turn after each step."""
        nonlocal worked_since
        if not is_alone():
            time.sleep(min(GIVES_WAY * (time.monotonic() - worked_since), LONGEST_REST_SECONDS))
        worked_since = time.monotonic()
        return worked_since < until

    branch = _begun(seen, wanted, go_on)
    if wanted["go"] is not None:
        branch = branch.go(wanted["go"])
    branch = branch.undo(wanted["undo"])
    for place, each in enumerate(wanted["play"]):
        try:
            branch = branch.play(each["seat"], each["command"])
        except MoveRefused as refused:
            raise _refusal(refused, 0, place) from refused
    bots: BotsPlayed | None = None
    if wanted["bots"] is not None:
        asked = wanted["bots"]
        bots = play_bots(branch, asked["seats"], asked["until"], asked["commands"], go_on)
        branch = bots.branch
    language = wanted["text"]
    tell = Commentary(branch.origin.rules.catalogue, language or DEFAULT)
    answer = branch_json(BranchView(branch, ALL, branch.origin.state, tell), wanted["after"])
    told = None if bots is None else {"commands": bots.commands, "stopped": bots.stopped}
    drawn = {} if language is None else _drawn(seen, branch, tell, language, go_on)
    return answer | drawn | {"bots": told}


def _drawn(
    seen: Viewpoint, branch: Branch, tell: Commentary, language: str, give_way: Callable[[], object]
) -> dict[str, Any]:
    """What a page takes to draw the branch: the way to where one stands, and what can be played, with texts."""
    origin, position = branch.origin, branch.position
    opened = services().open_tables.at(table_at(seen.loaded, origin.version)).state
    viewers = (ALL, PUBLIC, *range(origin.rules.players))
    tables = {viewer: seen_table(origin.state, opened, viewer) for viewer in viewers}
    found = choices(position, ALL)
    legal = [
        {
            **body,
            "text": describe_command(Chooser(tell, origin.rules, position.state, each.seat), each.command),
        }
        for each, body in zip(found, legal_json(found), strict=True)
    ]
    return {"recording": build_branch(branch, tables, language, give_way), "legal": legal}


def _begun(seen: Viewpoint, wanted: dict[str, Any], go_on: Callable[[], bool]) -> Branch:
    token = wanted["token"]
    contents = None if token is None else decode_token(token)
    if contents is not None and contents.game != seen.table.game:
        raise errors.OtherGame("This branch belongs to another game.")
    if seen.table.version > MOST_ENTRIES:
        detail = (
            f"The log of this game has {seen.table.version} entries; here games of {MOST_ENTRIES} are branched at"
            " most. Fetch its record, and play it yourself: fieldbook replay branch."
        )
        raise Problem(422, "game_too_long", detail)
    log = logged_game(services().store.read(seen.table.game, 0, seen.table.version))
    version = wanted["version"] if contents is None else contents.version
    origin = find_origin(seen.table.rules, log, version)
    return new_branch(origin, wanted["seed"]) if contents is None else load_branch(contents, origin, go_on)


def _refusal(refused: MoveRefused, node: int, place: int) -> Problem:
    """A move that the rules refuse, as in a game: the rule, the table, and what would be legal for that seat.

    `node` is the number of the command in the branch of a token; `place` that in what was to be played.
    """
    position, violation = refused.position, refused.violation
    return Problem(
        422,
        violation.code,
        str(violation),
        section=str(position.rules.system.section_of(violation)),
        place=place,
        node=node or None,
        version=position.version,
        state=player_view(position.state, ALL),
        legal_commands=list_commands(legal_commands(position.rules, position.state, refused.actor)),
    )


def _problem(error: BranchError) -> Problem:
    detail = str(error)
    match error:
        case errors.NoSuchVersion():
            problem = Problem(404, "no_such_version", detail)
        case errors.NotBegun():
            problem = Problem(422, "game_not_begun", detail)
        case errors.OtherGame():
            problem = Problem(422, "branch_of_another_game", detail)
        case errors.NoSuchNode():
            problem = Problem(422, "no_such_node", detail)
        case errors.TooLarge():
            problem = Problem(422, "branch_too_large", detail)
        case errors.TooLong():
            problem = Problem(422, "branch_too_long", detail)
        case BadBots():
            problem = Problem(422, "bad_bots", detail)
        case _:
            problem = Problem(422, "bad_branch_token", detail)
    return problem
