"""The contract as a file, the first page, and the page that verifies records in the reader's own browser."""

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path

import msgspec
from flask import Blueprint, Response, request

from events.log.disclosure import ALL
from events.store.errors import GameNotFound
from events.store.partitions import is_game_id
from replay.exports.page.writer import Page
from service.http.context.callers import admit, view_as
from service.http.messages.packed import Packed
from service.http.messages.problems import Problem
from service.http.pages.assets import assets, digest, serve_asset
from service.http.pages.shells import (
    COMPARE,
    DESK,
    GAME,
    LOBBY,
    RATINGS,
    TOURNAMENTS,
    language_of_request,
    serve_page,
)
from service.http.resources.game.annotations import list_published
from service.http.resources.game.histories import timeline_in_turn

blueprint = Blueprint("pages", __name__)
CONTRACT_FILE = resources.files("service.http.contract") / "openapi.yaml"
VERIFIER = Path(str(resources.files("replay"))) / "second_verifier"
_INLINE = re.compile(r"<(script|style)[^>]*>(.*?)</\1>", re.DOTALL)


@cache
def _contract() -> Packed:
    return Packed.of(CONTRACT_FILE.read_bytes(), "application/yaml")


@cache
def _contract_as_json() -> Packed:
    document = msgspec.yaml.decode(CONTRACT_FILE.read_bytes())
    return Packed.of(msgspec.json.encode(document, order="sorted"), "application/json")


@blueprint.get("/openapi.yaml")
def openapi_file() -> Response:
    """Serve the contract."""
    return _contract().answer()


@blueprint.get("/openapi.json")
def openapi_as_json() -> Response:
    """Serve the same document as JSON, for clients without a YAML parser."""
    return _contract_as_json().answer()


@blueprint.get("/games/<string:game>")
def page_of_game(game: str) -> Response:
    """Serve the page on which a game is played, watched and reviewed; whether there is one, its script asks."""
    if not is_game_id(game):
        raise GameNotFound(game)
    return serve_page(GAME)


@blueprint.get("/desk")
def arbiters_desk() -> Response:
    """Serve the page on which cases are settled."""
    return serve_page(DESK)


@blueprint.get("/compare")
def page_of_two_games() -> Response:
    """Serve the page on which two games, or two places of one, stand side by side; which ones, its address says."""
    return serve_page(COMPARE)


@blueprint.get("/tournaments", defaults={"tournament": ""})
@blueprint.get("/tournaments/<string:tournament>")
def page_of_tournaments(tournament: str) -> Response:
    """Serve the page of all tournaments, or of one; whether there is one, its script asks."""
    del tournament
    return serve_page(TOURNAMENTS)


@blueprint.get("/ratings", defaults={"player": ""})
@blueprint.get("/ratings/<string:player>")
def page_of_ratings(player: str) -> Response:
    """Serve the page of boards, or of a player; how they stand, its script asks."""
    del player
    return serve_page(RATINGS)


@blueprint.get("/games/<string:game>/page.html")
def exported_page(game: str) -> Response:
    """Serve a game as a page that needs nothing else, as `fieldbook replay export --to html` writes it."""
    seen = view_as(admit(game))
    loaded = seen.loaded
    viewer = ALL if loaded.table.state.status == "finished" else seen.viewer
    written, page = BytesIO(), Page(language_of_request())
    with timeline_in_turn(loaded, viewer, loaded.table.version, page.begin) as timeline:
        timeline.recording.annotations = list_published(seen)
        page.write(written)
    response = Response(written.getvalue(), content_type="text/html; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{loaded.table.game}.html"'
    return response


@blueprint.get("/assets/<string:release>/<path:file>")
def asset_of_page(release: str, file: str) -> Response:
    """Serve a module or a style of the pages."""
    if release != digest() or file not in assets():
        raise Problem(404, "not_found", "This page is of another release of the service; load it again.")
    return serve_asset(file)


@blueprint.get("/")
def first_page() -> Response:
    """Say what this is: to browsers with a page on which one plays, and to programs in a few lines."""
    # Whoever takes anything, as programs do, has not asked for a page.
    is_browser = any(kind == "text/html" for kind, _ in request.accept_mimetypes)
    response = serve_page(LOBBY) if is_browser else _say_in_text()
    response.vary.add("Accept")
    return response


def _say_in_text() -> Response:
    text = (
        "Fieldbook: bean-trading card games as an append-only log that anybody can check.\n\n"
        "GET  /openapi.yaml           the contract; as JSON: /openapi.json\n"
        "GET  /docs                   the contract as a page, to read and to try\n"
        "GET  /readyz                 is everything up?\n"
        "GET  /verify                 verify a record in your browser\n"
        "GET  /v1/systems             what can be played\n"
        "POST /v1/games               set up a game\n"
        "GET  /v1/games               all games\n"
    )
    return Response(text, content_type="text/plain; charset=utf-8")


@cache
def _verifying_page() -> tuple[bytes, str]:
    """The page and its policy: what stands in it may run, and the verifier beside it; nothing else, from nowhere."""
    page = (VERIFIER / "index.html").read_bytes()
    hashes = {
        kind: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for kind, text in _INLINE.findall(page.decode())
    }
    policy = (
        f"default-src 'none'; script-src 'self' 'sha256-{hashes['script']}'; style-src 'sha256-{hashes['style']}'; "
        "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
    return page, policy


@blueprint.get("/verify")
def verifying_page() -> Response:
    """Serve the page of the second verifier; records that are chosen there stay in the browser."""
    page, policy = _verifying_page()
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = policy
    return response


@blueprint.get("/verifier.mjs")
def second_verifier() -> Response:
    """Serve the second verifier itself, to the page and to whoever wants to read it."""
    return Response((VERIFIER / "verifier.mjs").read_bytes(), content_type="text/javascript; charset=utf-8")


@blueprint.get("/unknown.mjs")
def what_stays_unknown() -> Response:
    """Serve what the second verifier says of what it was not given."""
    return Response((VERIFIER / "unknown.mjs").read_bytes(), content_type="text/javascript; charset=utf-8")
