"""The contract as a file, and the first page."""

from functools import cache
from importlib import resources
from pathlib import Path

from flask import Blueprint, Response

blueprint = Blueprint("pages", __name__)
CONTRACT_FILE = Path(str(resources.files("service"))).parent / "openapi.yaml"


@cache
def _contract() -> bytes:
    return CONTRACT_FILE.read_bytes()


@blueprint.get("/openapi.yaml")
def openapi_file() -> Response:
    """Serve the contract."""
    return Response(_contract(), content_type="application/yaml")


@blueprint.get("/")
def first_page() -> Response:
    """Say what this is, to people and programs alike."""
    text = (
        "Fieldbook: bean-trading card games as an append-only log that anybody can check.\n\n"
        "GET  /openapi.yaml           the contract\n"
        "GET  /readyz                 is everything up?\n"
        "GET  /v1/systems             what can be played\n"
        "POST /v1/games               set up a game (needs a key)\n"
        "GET  /v1/games               all games\n"
    )
    return Response(text, content_type="text/plain; charset=utf-8")
