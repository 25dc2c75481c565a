"""Records as files of JSON lines: narrowed, changed and sealed again, from docs/record-format.md alone."""

import gzip
import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from tests.support.servers import ROOT

Line = dict[str, Any]
Change = Callable[[list[Line]], None]
LOGS: Final = ROOT / "tests" / "logs"
_GENESIS: Final = "0" * 64
_NOBODY: Final = {"order", "bot_seed", "from_draw_pile"}
"""Private members that no seat sees."""


def recorded(name: str) -> list[Line]:
    """Return the lines of a recorded game in `tests/logs`, such as `classic/left`."""
    path = next(path for path in (LOGS / f"{name}.ndjson", LOGS / f"{name}.ndjson.gz") if path.exists())
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in content.splitlines()]


def narrowed(lines: list[Line], scope: str) -> list[Line]:
    """Return a record of the scope `all` as viewers of this scope have it."""
    found = deepcopy(lines)
    if scope == "all":
        return found
    found[0] = {name: value for name, value in found[0].items() if name not in {"secret", "attached"}}
    found[0]["scope"] = scope
    found = [line for line in found if "attached" not in line]
    for line in found[1:-1]:
        salts = line["salts"]
        hidden = [path for path in salts if path != "state" and _holder(line["entry"], path) != scope]
        line["entry"] = _committed(line["entry"], {path: salts[path] for path in hidden})
        line["salts"] = {path: salts[path] for path in salts if path not in {*hidden, "state"}}
    if "secret" in lines[0]:
        found[0] = {name: found[0][name] for name in ("record", "game", "scope", "catalogue")}
        found[0]["secret"] = lines[0]["secret"]
    return found


def sealed(lines: list[Line]) -> bytes:
    """Return the record as a file, with new chain hashes throughout: as if it had always read like this."""
    head = _GENESIS
    for line in lines[1:-1]:
        public = _committed(
            line["entry"], {path: salt for path, salt in line["salts"].items() if path != "state"}
        )
        head = line["hash"] = hash_after(head, public)
    lines[-1] = {"end": len(lines) - 2, "hash": head}
    return b"".join(
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines
    )


def entries(lines: list[Line], event_type: str) -> list[Line]:
    """Return the entries of this type; changes to them change the record."""
    return [line["entry"] for line in lines if line.get("entry", {}).get("type") == event_type]


def _holder(entry: Line, path: str) -> str:
    """Return the scope that sees a private value."""
    part, name = path.split("/")[:2]
    data = entry["data"]
    if name in _NOBODY or entry["type"] == "coins_dealt":
        return "all"
    if part == "command":
        return str(entry["actor"])
    return f"seat:{data[{'active_hand': 'active', 'partner_hand': 'partner'}.get(name, 'seat')]}"


def _committed(entry: Line, salts: dict[str, str]) -> Line:
    """Return an entry with commitments in place of the values that have these salts."""
    found = deepcopy(entry)
    for path, salt in salts.items():
        part, name, *rest = path.split("/")
        holder, key = (found[part][name], int(rest[0])) if rest else (found[part], name)
        holder[key] = {"commitment": hash_after(salt, holder[key])}
    return found


def hash_after(before: str, value: Any) -> str:
    """Return the SHA-256 of 32 bytes in hex and the canonical JSON of a value."""
    written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(bytes.fromhex(before) + written.encode()).hexdigest()


def write(path: Path, content: bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content)
    return path
