"""Games: setting one up, listing them, looking at one, taking a seat."""

from typing import Any

import msgspec
from flask import Response

from events.log.disclosure import PUBLIC
from events.rules.catalogues.card_names import card_names
from events.rules.move import HOST
from service.access.game_access import GamePolicy
from service.disputes.disputes import RuledResult
from service.http.context.callers import Caller, view_as
from service.http.context.creators import Creator
from service.http.context.identity import UNGUESSABLE, fingerprint, request_id
from service.http.context.limits import count_guest, count_more
from service.http.context.new_games import check_room, create_where_it_can_be
from service.http.context.player_ids import named_player
from service.http.context.services import services
from service.http.contract.access import AUDIENCE, CREATORS, GUESTS
from service.http.contract.headers import ENTITY_TAG, LINK, LOCATION
from service.http.contract.operation import GAME, SAME_GAME, Link, Operation, Resource, next_page
from service.http.contract.problems import APPENDING, EYES, LISTED, LOG, VERSION, WAITING, of, of_rules
from service.http.contract.request_headers import KEY, SECRET_KEY
from service.http.follow.freshness import newest, table_at
from service.http.follow.table_bodies import following_game, state_body
from service.http.messages.bodies import headers_for, json_response
from service.http.messages.caching import keep_for_ever, representation_tag
from service.http.messages.links import link_pages
from service.http.messages.problems import Problem, from_not_played, from_refusal
from service.http.messages.reading import json_body
from service.http.resources.reservations import create_reserved, redeem_reservation
from service.http.schemas.new_games import NewGameRequest, TakeSeatRequest
from service.http.schemas.queries import GamesQuery, StateQuery
from service.platform.clock import now_milliseconds
from service.play.deciding import Refused, Request
from service.play.lobby import NewGame, NotPlayed, Player
from service.play.outcome import Outcome
from service.players.shown_names import players_of
from service.projections.audience import Audience
from service.projections.listed_games import Filter, Summary

blueprint = Resource("games", __name__, url_prefix="/v1/games", description="Games")
_AFTER_A_SEAT = {
    "look": Link("show_table", GAME, "The table as the seat sees it."),
    "choose": Link("list_legal_commands", GAME, "What the seat may send, with its token."),
    "follow": Link("read_events", GAME, "What happens in the game."),
}


@blueprint.get("")
@Operation(
    AUDIENCE,
    "GamesAnswer",
    LISTED,
    gives=(LINK,),
    links={
        **next_page("list_games"),
        "look": Link("show_table", {"game": "$response.body#/games/0/game"}, "One of them."),
    },
)
@blueprint.arguments(GamesQuery, location="query")
def list_games(query: dict[str, Any], audience: Audience) -> Response:
    """List games, newest first; `next` is the cursor of the following page.

    So many games are looked at for a page. Where few of them are wanted it has fewer than `limit`, or none, and a
    `next` all the same: go on until that is null.
    """
    limit, cursor = query.pop("limit"), query.pop("cursor")
    query["players"] = query.pop("seats")
    player = query.pop("player_id")
    query["player_ids"] = services().merged_ids.of(player) if player is not None else ()
    games, following = services().games.page(Filter(**query), limit, cursor, audience)
    finished = [each.game for each in games if each.status == "finished"]
    ruled = dict(zip(finished, services().dispute_resolution.disputes.ruled(finished), strict=True))
    rows = [_list_game(each, ruled.get(each.game)) for each in games]
    return json_response({"games": rows, "next": following}, headers=link_pages("cursor", following))


@blueprint.post("")
@Operation(
    CREATORS,
    "NewGameAnswer",
    LOG
    | of(400, "idempotency_key_too_short")
    | of(403, "player_forbidden")
    | of(503, "partition_quarantined")
    | of(503, "store_nearly_full")
    | of(409, "reservation_used", "too_many_games")
    | of(422, "bad_reservation", "unknown_catalogue", "bad_name", "bad_clock")
    | of_rules("setting_up") - of(422, "rules_mismatch", "bad_dealing", "seed_not_taken"),
    status=201,
    takes=(KEY,),
    gives=(ENTITY_TAG, LOCATION),
    links={
        **_AFTER_A_SEAT,
        "sit_down": Link("take_seat", GAME, "Take a seat that was left open."),
        "watch": Link("add_spectator", GAME, "Give somebody a token to watch with."),
        "replace": Link("replace_seat_token", {**GAME, "seat": "0"}, "Replace a token that was lost."),
    },
)
@blueprint.arguments(NewGameRequest)
def create_game(wanted: dict[str, Any], creator: Creator) -> Response:
    """Set up a game. With every seat filled it starts at once.

    Where `GET /v1/systems` says `guests` it needs no key: an address sets up some an hour, which end after a day
    without an event where `close_after` does not say when. The `Idempotency-Key` then has 16 characters at least.

    Where seats are filled that bring seeds, reserve the game first: so its secret was committed to before them.
    """
    named = request_id(creator.least_key)
    policy = GamePolicy(wanted["visibility"], wanted["spectator_delay"], creator.id)
    close_after = creator.close_after(wanted["close_after"])
    players = [
        Player.asked(seat, named_player(creator.key, seat["player"])) if seat is not None else None
        for seat in wanted["seats"]
    ]
    patience = wanted["patience"]
    # The service itself plays these seats: a table of bots costs more of it than one of people.
    count_more(sum(player is not None and player.kind == "bot" for player in players))
    try:
        outcome, tokens = _created(
            creator,
            NewGame(
                wanted["system"],
                players,
                wanted["options"],
                wanted["catalogue"],
                policy,
                patience["people"],
                patience["programs"],
                redeem_reservation(creator.holder, wanted["reservation"]),
                wanted["clock"],
                close_after,
            ),
            named,
        )
    except NotPlayed as not_played:
        raise from_not_played(not_played) from not_played
    except Refused as refused:
        raise from_refusal(refused, PUBLIC) from refused
    table = outcome.loaded.table
    game = table.game
    seats = [
        {"seat": seat, "name": player.name or None, "kind": player.kind or None}
        | ({"token": tokens[seat]} if seat in tokens else {})
        for seat, player in enumerate(table.state.seats)
    ]
    answer = {
        "game": game,
        "version": outcome.version,
        "hash": outcome.hash,
        "system": table.state.system,
        "status": table.state.status,
        "visibility": policy.visibility,
        "spectator_delay": policy.spectator_delay,
        "patience": {"people": table.state.people_patience, "programs": table.state.program_patience},
        "commitment": table.state.commitment,
        "seats": seats,
        **({} if wanted["clock"] is None else {"clock": msgspec.structs.asdict(wanted["clock"])}),
        **({} if close_after is None else {"close_after": close_after}),
    }
    headers = {**headers_for(outcome.version, outcome.hash), "Location": f"/v1/games/{game}"}
    return json_response(answer, 201, headers, is_known=outcome.duplicate)


@blueprint.get("/<string:game>")
@Operation(
    GUESTS,
    "StateAnswer",
    EYES | VERSION | WAITING,
    links={
        "follow": Link(
            "read_events", {**SAME_GAME, "after": "$response.body#/version"}, "What happens after it."
        ),
        "cards": Link("show_catalogue", SAME_GAME, "The cards that it is played with."),
    },
)
@blueprint.arguments(StateQuery, location="query")
def show_table(query: dict[str, Any], game: str, caller: Caller) -> Response:
    """Show the table as the caller may see it, now or at an earlier version.

    With `after` and `wait` the answer is held back until there is a version after that one, so many seconds at
    most.
    """
    seen = view_as(caller, query["viewer"])
    if caller.seat is not None:
        services().presence.seen(game, caller.seat)
    table = newest(seen, query).table if query["at"] is None else table_at(seen.loaded, query["at"])
    following = following_game(table)
    tag = representation_tag(table.version, table.hash, seen.viewer, "next" if following else "")
    body = {**state_body(seen, table, services().shown_names), **following}
    response = json_response(body, headers={"ETag": tag})
    # Names to show may change, or be forgotten.
    if query["at"] is not None and not following and not players_of(table.state):
        keep_for_ever(response, is_listed=caller.policy.is_listed)
    return response


@blueprint.get("/<string:game>/catalogue")
@Operation(GUESTS, "GameCatalogueAnswer", LOG)
def show_catalogue(game: str) -> Response:
    """Show the catalogue that the game was set up with, whatever is installed today."""
    loaded = services().tables.recent(game)
    catalogue = loaded.table.rules.catalogue
    return json_response(
        {"game": game, "hash": catalogue.hash(), "catalogue": catalogue, "names": card_names(catalogue)}
    )


@blueprint.post("/<string:game>/seats")
@Operation(
    GUESTS,
    "TakenSeatAnswer",
    APPENDING
    | of(403, "player_forbidden", "seats_kept")
    | of(422, "bad_name", "game_started_already", "no_such_seat", "seat_occupied", "seed_not_taken"),
    status=201,
    takes=(SECRET_KEY,),
    gives=(ENTITY_TAG,),
    links=_AFTER_A_SEAT,
)
@blueprint.arguments(TakeSeatRequest)
def take_seat(wanted: dict[str, Any], game: str, caller: Caller) -> Response:
    """Take a seat; the answer holds its token, which is not shown again. The last seat starts the game."""
    if caller.policy.previous:
        detail = (
            "These seats are kept for who sat at the game before: they take them with their tokens of that game, by"
            f" POST /v1/games/{caller.policy.previous}/rematch."
        )
        raise Problem(403, "seats_kept", detail)
    named = request_id(least=UNGUESSABLE)
    asked = Request(HOST, (), now_milliseconds(), named, fingerprint(json_body()))
    player = Player.asked(wanted, named_player(caller.key, wanted["player"]))
    try:
        outcome, seat, token = services().lobby.take_seat(game, player, wanted["seat"], asked)
    except Refused as refused:
        newest = services().tables.newest(game)
        seen = services().tables.behind(newest, caller.delay)
        raise from_refusal(refused, PUBLIC, seen.table) from refused
    answer = {
        "game": game,
        "version": outcome.version,
        "hash": outcome.hash,
        "seat": seat,
        "token": token,
        "commitment": outcome.loaded.table.state.commitment,
    }
    headers = headers_for(outcome.version, outcome.hash)
    return json_response(answer, 201, headers, is_known=outcome.duplicate)


def _list_game(summary: Summary, ruled: RuledResult | None) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(summary)
    del shown["creator"], shown["opened"], shown["touched"], shown["previous"]
    if summary.player_ids:
        shown["players"] = services().shown_names.shown(summary.players, summary.player_ids)
    else:
        del shown["player_ids"]
    return {**shown, "ruled": ruled}


def _created(creator: Creator, wanted: NewGame, named: str) -> tuple[Outcome, dict[int, str]]:
    def check() -> None:
        check_room(creator)
        if creator.is_guest:
            count_guest()

    def create(game: str) -> tuple[Outcome, dict[int, str]]:
        found, now = services(), now_milliseconds()
        made = found.lobby.create(game, wanted, now, named, fingerprint(json_body()), check=check)
        if not made[0].duplicate:
            for share in creator.shares:
                found.unfinished_games.note(share.name, game)
        return made

    if wanted.reservation is None:
        return create_where_it_can_be(create, creator.holder, named)
    return create_reserved(wanted.reservation, create)
