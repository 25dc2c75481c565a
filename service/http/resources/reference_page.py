"""The reference page at `/docs`: the contract to read and to try, from a package's files and no outside address."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from flask import Blueprint, Response, current_app

from service.http.contract.codes import problem_tables
from service.http.contract.document import EXTENSION, Contract
from service.http.messages.packed import Packed
from service.http.messages.problems import Problem

blueprint = Blueprint("reference_page", __name__)
_OURS = resources.files(__package__) / "reference"
_SWAGGER_UI = resources.files("flask_swagger_ui") / "dist"
FILES: Final[dict[str, tuple[Traversable, str]]] = {
    "swagger-ui-bundle.js": (_SWAGGER_UI, "text/javascript; charset=utf-8"),
    "swagger-ui.css": (_SWAGGER_UI, "text/css; charset=utf-8"),
    "favicon-32x32.png": (_SWAGGER_UI, "image/png"),
    "page.js": (_OURS, "text/javascript; charset=utf-8"),
    "page.css": (_OURS, "text/css; charset=utf-8"),
}
"""What the page loads: where each file lies and what it is. Nothing else of the package is served."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""Scripts only from here, and none that stand in the page; styles likewise."""


@cache
def _page() -> Packed:
    return Packed.of((_OURS / "index.html").read_bytes(), "text/html; charset=utf-8")


@cache
def _part(name: str) -> Packed:
    folder, content_type = FILES[name]
    return Packed.of((folder / name).read_bytes(), content_type)


@cache
def _problems() -> Packed:
    contract: Contract = current_app.extensions[EXTENSION]
    return Packed.of(problem_tables(contract.paths).encode(), "text/markdown; charset=utf-8")


@blueprint.get("/docs")
def reference_page() -> Response:
    """Serve the page."""
    response = _page().answer()
    response.headers["Content-Security-Policy"] = POLICY
    return response


@blueprint.get("/docs/problems.md")
def tables_of_problems() -> Response:
    """Serve the tables of all codes, which the page shows below the introduction."""
    return _problems().answer()


@blueprint.get("/docs/<string:name>")
def part_of_the_page(name: str) -> Response:
    """Serve a file that the page loads."""
    if name not in FILES:
        raise Problem(404, "not_found", "The reference page has no such file.")
    return _part(name).answer()
