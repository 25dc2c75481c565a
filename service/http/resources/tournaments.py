"""Tournaments: announcing one, registering players, beginning, and looking at all of it."""

from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Response

from events.game.dealing import commitment_to
from events.game.table import new_table
from events.rules.errors import BadClock, RuleViolation, UnknownSystem
from events.rules.systems.registry import system_named
from events.tournaments import commands as c
from events.tournaments.errors import TournamentRefused
from events.tournaments.events import TournamentCreated
from events.tournaments.pairing.pair import count_tables
from events.tournaments.state import DUPLICATE, REGISTERING, Tournament
from service.access.keys import Key
from service.http.context.creators import SCOPE, creator_of
from service.http.context.identity import request_id
from service.http.context.new_games import check_room
from service.http.context.player_ids import named_player
from service.http.context.services import services
from service.http.contract.access import ANYBODY, holders_of
from service.http.contract.headers import LINK, LOCATION
from service.http.contract.operation import Link, Operation, Resource, next_page
from service.http.contract.problems import COUNTED, LISTED, NAMED, STORE, of
from service.http.contract.request_headers import KEY_ALONE
from service.http.follow.tournament_bodies import (
    describe_tournament,
    tournament_row,
    tournament_tag,
    without_name,
)
from service.http.messages.bodies import json_response
from service.http.messages.caching import is_known
from service.http.messages.links import link_pages
from service.http.messages.pieces import PIECE
from service.http.messages.problems import Problem
from service.http.resources.exports import NDJSON
from service.http.schemas.tournaments import (
    NewPlayerRequest,
    NewTournamentRequest,
    PlayersSeatRequest,
    TournamentsQuery,
)
from service.platform.clock import now_milliseconds
from service.play.lobby import check_clock
from service.tournaments.listing import list_page
from service.tournaments.pending import count_promised
from service.tournaments.promises import Promises
from service.tournaments.store import TournamentNotFound
from service.tournaments.tables import seat_of
from service.tournaments.tournaments import TournamentLog

blueprint = Resource("tournaments", __name__, url_prefix="/v1/tournaments", description="Tournaments")
_ORGANISERS = holders_of(SCOPE)
_THIS = {"tournament": "$response.body#/tournament"}
_FOUND = NAMED | STORE | of(404, "tournament_not_found") | of(500, "log_damaged")
_ASKED = (
    _FOUND
    | COUNTED
    | of(403, "not_your_tournament")
    | of(422, "tournament_refused")
    | of(503, "partition_quarantined", "game_busy")
)
_BEGUN = of(409, "too_many_games") | of(503, "store_nearly_full")


@blueprint.get("")
@Operation(ANYBODY, "TournamentsAnswer", LISTED | STORE, gives=(LINK,), links=next_page("list_tournaments"))
@blueprint.arguments(TournamentsQuery, location="query")
def list_tournaments(query: dict[str, Any]) -> Response:
    """List tournaments, newest first; `next` is the cursor of the following page."""
    found = services()
    page, following = list_page(found.tournaments, found.store.partitions, query["limit"], query["cursor"])
    rows = [tournament_row(each.tournament) for each in page]
    return json_response({"tournaments": rows, "next": following}, headers=link_pages("cursor", following))


@blueprint.post("")
@Operation(
    _ORGANISERS,
    "TournamentAnswer",
    _ASKED - of(403, "not_your_tournament"),
    status=201,
    takes=(KEY_ALONE,),
    gives=(LOCATION,),
    links={
        "register": Link("register_player", _THIS, "Register a player."),
        "start": Link("start_tournament", _THIS, "Begin, once all players have registered."),
        "look": Link("show_tournament", _THIS, "Rounds, tables and who is ahead."),
    },
)
@blueprint.arguments(NewTournamentRequest)
def announce_tournament(wanted: dict[str, Any], holder: Key) -> Response:
    """Announce a tournament, which your key organises; the answer commits to what all pairings follow from."""
    found, named = services(), request_id()
    promises = Promises(found.store.installation.token_key)
    name = promises.tournament_id(holder.id, named)
    settings = _settings(name, wanted, promises)
    try:
        log, is_known = found.tournaments.begin(
            name, c.Step(c.CreateTournament(settings), holder.id, now_milliseconds())
        )
    except TournamentRefused as refused:
        raise _refusal(refused) from refused
    return json_response(_describe(log), 201, {"Location": f"/v1/tournaments/{name}"}, is_known=is_known)


@blueprint.get("/<string:tournament>")
@Operation(ANYBODY, "TournamentAnswer", _FOUND)
def show_tournament(tournament: str) -> Response:
    """Show a tournament: who takes part, its rounds and tables, and who is ahead."""
    log = _find(tournament)
    names = services().shown_names.of(without_name(log.tournament))
    tag = tournament_tag(log, names)
    # Pages ask again and again, and a large one takes long: what has one tag is put together once.
    if is_known(tag):
        return Response(headers={"ETag": tag})

    def describe() -> tuple[bytes, int]:
        body = msgspec.json.encode(describe_tournament(log, names))
        return body, len(body)

    body = services().tournament_answers.find_or_read(tag, describe)
    return Response(body, headers={"ETag": tag}, content_type="application/json")


@blueprint.get("/<string:tournament>/log")
@Operation(
    ANYBODY, problems=_FOUND, forms={NDJSON: "A line for each entry of the tournament's log, with its hash."}
)
def read_tournament_log(tournament: str) -> Response:
    """Read the log, for `fieldbook replay tournament`: everything follows from it and the tables' records."""
    return Response(_pieces(_find(tournament)), content_type=NDJSON)


@blueprint.post("/<string:tournament>/players")
@Operation(
    _ORGANISERS,
    "TournamentPlayerAnswer",
    _ASKED | of(403, "player_forbidden"),
    status=201,
    links={
        "withdraw": Link("withdraw_player", {**_THIS, "player": "$response.body#/player"}, "Take it back.")
    },
)
@blueprint.arguments(NewPlayerRequest)
def register_player(wanted: dict[str, Any], tournament: str, holder: Key) -> Response:
    """Register a player, as long as the tournament has not begun.

    Where no name is given it is a player of your `/v1/players`, whose name is in no log. A person's answer holds
    their token for `POST .../seat`; the same request gets it again.
    """
    _own(tournament, holder)
    player = wanted["player"] if wanted["name"] else named_player(holder, wanted["player"])
    _send(tournament, c.RegisterPlayer(player, wanted["name"] or "", wanted["bot"], wanted["seed"]), holder)
    promises = Promises(services().store.installation.token_key)
    token = {} if wanted["bot"] else {"token": promises.player_token(tournament, player)}
    return json_response({"tournament": tournament, "player": player, **token}, 201)


@blueprint.delete("/<string:tournament>/players/<string:player>")
@Operation(_ORGANISERS, "TournamentAnswer", _ASKED)
def withdraw_player(tournament: str, player: str, holder: Key) -> Response:
    """Withdraw a player: they are paired no more, and what they have played counts."""
    _own(tournament, holder)
    return json_response(_describe(_send(tournament, c.WithdrawPlayer(player), holder)))


@blueprint.post("/<string:tournament>/start")
@Operation(_ORGANISERS, "TournamentAnswer", _ASKED | _BEGUN)
def start_tournament(tournament: str, holder: Key) -> Response:
    """Close registration; the first round is paired at once, and each one after it when all tables are over.

    The games of a round count among the unfinished ones of the key that announced the tournament: without room for
    them nothing begins. So do those of the key's other tournaments whose tables are about to be set up.
    """
    begun = _own(tournament, holder).tournament
    if begun.status == REGISTERING:
        _check_room_for(begun)
    secret = Promises(services().store.installation.token_key).pairing_secret(tournament)
    return json_response(_describe(_send(tournament, c.CloseRegistration(secret), holder)))


@blueprint.post("/<string:tournament>/seat")
@Operation(ANYBODY, "TournamentSeatAnswer", _FOUND | of(422, "tournament_refused"))
@blueprint.arguments(PlayersSeatRequest)
def find_seat(wanted: dict[str, Any], tournament: str) -> Response:
    """Find where a player sits in the round that is played, with the token of the seat."""
    found, log = services(), _find(tournament)
    promises = Promises(found.store.installation.token_key)
    if not promises.is_player(tournament, wanted["player"], wanted["token"]):
        detail = "This is not the token that registering this player in this tournament has answered."
        raise Problem(422, "tournament_refused", detail, reason="wrong_token")
    seat = seat_of(log.tournament, wanted["player"], found.store.installation.token_key)
    if seat is None:
        detail = (
            "No round is played now, or this player is not in it, or the table is being set up: ask again."
        )
        raise Problem(422, "tournament_refused", detail, reason="not_seated")
    return json_response({"tournament": tournament, **seat})


def _check_room_for(tournament: Tournament) -> None:
    """Refuse a first round that does not fit beside the games its organiser has, or is about to get."""
    creator, promised = creator_of(tournament.organiser), 0
    if creator.shares:
        promised = count_promised(services().tournaments, tournament.organiser, now_milliseconds())
    check_room(creator, count_tables(tournament), promised)


def _find(tournament: str) -> TournamentLog:
    try:
        return services().tournaments.of(tournament)
    except TournamentNotFound as missing:
        raise Problem(404, "tournament_not_found", "There is no tournament with this id.") from missing


def _own(tournament: str, holder: Key) -> TournamentLog:
    log = _find(tournament)
    if log.tournament.organiser != holder.id and not holder.is_operator:
        raise Problem(403, "not_your_tournament", "This is for the key that announced the tournament.")
    return log


def _send(tournament: str, command: c.Command, holder: Key) -> TournamentLog:
    try:
        log, _ = services().tournaments.send(tournament, c.Step(command, holder.id, now_milliseconds()))
    except TournamentRefused as refused:
        raise _refusal(refused) from refused
    return log


def _refusal(refused: TournamentRefused) -> Problem:
    return Problem(422, "tournament_refused", str(refused), reason=refused.code)


def _settings(name: str, wanted: dict[str, Any], promises: Promises) -> TournamentCreated:
    """What a tournament is played by, which must be something that its system is played by."""
    try:
        system = system_named(wanted["system"])
        sizes = wanted["sizes"] or sorted(system.players, key=lambda size: (size != _USUAL_SIZE, size))
        if wanted["format"] == DUPLICATE and not wanted["sizes"]:
            sizes = sizes[:1]
        catalogue = services().catalogues.chosen(system, None)
        for size in set(sizes) & set(system.players):
            # Set up for a moment: what cannot be is refused here, and not when its tables are due.
            new_table(
                name,
                wanted["system"],
                size,
                options=wanted["options"],
                catalogue=catalogue,
                secret=promises.pairing_secret(name),
                at=0,
                clock=wanted["clock"],
            )
        check_clock(wanted["clock"])
    except (UnknownSystem, BadClock, RuleViolation) as refused:
        raise Problem(422, "tournament_refused", str(refused), reason=refused.code) from refused
    is_duplicate = wanted["format"] == DUPLICATE
    deals = (
        (promises.deal_secret(name, number + 1) for number in range(wanted["rounds"])) if is_duplicate else ()
    )
    return TournamentCreated(
        tournament=name,
        name=wanted["name"],
        system=wanted["system"],
        format=wanted["format"],
        sizes=tuple(sizes),
        commitment=commitment_to(promises.pairing_secret(name)),
        rounds=wanted["rounds"],
        options=wanted["options"],
        clock=wanted["clock"],
        late_after=wanted["late_after"],
        deals=tuple(map(commitment_to, deals)),
    )


_USUAL_SIZE = 4


def _describe(log: TournamentLog) -> dict[str, Any]:
    return describe_tournament(log, services().shown_names.of(without_name(log.tournament)))


def _pieces(log: TournamentLog) -> Iterator[bytes]:
    """The lines of a log, in pieces that no event loop is held up by."""
    for entry in log.entries:
        for begin in range(0, len(entry.line), PIECE):
            yield entry.line[begin : begin + PIECE]
