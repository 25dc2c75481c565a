"""What the pages load: modules, styles and images, under an address that changes whenever one of them does.

So a browser asks for each once and keeps it, and a page never runs modules of two releases together.
"""

import hashlib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from flask import Response

from service.http.messages.caching import YEAR_SECONDS
from service.http.messages.packed import Packed

_VIEWER: Final = resources.files("replay.exports.page")
_OURS: Final = resources.files(__package__)
_REPLAY: Final = resources.files("replay")
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".png": "image/png",
}


@cache
def assets() -> dict[str, tuple[Traversable, str]]:
    """Where each file lies and what it is, by its address below the digest: `table/cards.js`, `style/page.css`."""
    found: dict[str, tuple[Traversable, str]] = {}
    folders = {
        "client": _REPLAY / "javascript_client",
        "table": _VIEWER / "script",
        "style": _VIEWER / "style",
    }
    folders |= {folder.name: folder for folder in (_OURS / "script").iterdir() if folder.is_dir()}
    for name, folder in [*folders.items(), ("style", _OURS / "style"), ("image", _OURS / "image")]:
        for file in folder.iterdir():
            ending = f".{file.name.rpartition('.')[2]}"
            if ending in _TYPES:
                found[f"{name}/{file.name}"] = file, _TYPES[ending]
    # The rest of the folder is for Node; the client finds the verifier beside itself, as it does in the tree.
    for name in ("verifier.mjs", "unknown.mjs"):
        found[f"second_verifier/{name}"] = _REPLAY / "second_verifier" / name, _TYPES[".mjs"]
    return found


@cache
def digest() -> str:
    """The names and contents of all files, hashed: 16 hexadecimal digits."""
    hashed = hashlib.sha256()
    for name, (file, _) in sorted(assets().items()):
        content = file.read_bytes()
        hashed.update(f"{name} {len(content)}\n".encode() + content)
    return hashed.hexdigest()[:16]


def address_of(name: str) -> str:
    """Where a page finds a file.

    Raises:
        KeyError: there is no such file.
    """
    assets()[name]
    return f"/assets/{digest()}/{name}"


def serve_asset(name: str) -> Response:
    """Answer with a file of the pages, to be kept as long as its address is asked for.

    Raises:
        KeyError: there is no such file.
    """
    response = _packed(name).answer()
    response.headers["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
    return response


@cache
def _packed(name: str) -> Packed:
    file, content_type = assets()[name]
    return Packed.of(file.read_bytes(), content_type)
