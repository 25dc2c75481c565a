"""Adds the samples that are missing: `python -m tests.events.samples.add`.

A sample is one event or command as it was written, in the schema version of its day, taken from a recorded game of
`tests/logs`: of all that are there the one with most members. What is there already is kept as it is, for ever.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from events.game.record import read_record
from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from events.log.disclosure import ALL, Form, viewer_name
from replay.client.sources import record_lines

SAMPLES = Path(__file__).parent
HASHES = SAMPLES / "hashes.txt"
"""The SHA-256 of each sample, as `sha256sum` writes it."""
LOGS = SAMPLES.parents[1] / "logs"


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event or a command as it was written once."""

    type: str
    schema: int
    log: str
    """The recorded game that it comes from: a file in `tests/logs`."""
    version: int
    """The version of its entry there."""
    written: dict[str, Any]
    """The entry's data, or its command."""

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.type}-{self.schema}.json"


def writable() -> set[tuple[str, int]]:
    """Every type and schema version that is written today."""
    events = {(name, kind.schema) for name, kind in EVENT_TYPES.items()}
    return events | {(name, kind.schema) for name, kind in COMMAND_TYPES.items()}


def stored() -> dict[str, Sample]:
    """Every sample there is, by file."""
    return {path.name: msgspec.json.decode(path.read_bytes(), type=Sample) for path in SAMPLES.glob("*.json")}


@cache
def forms_of(log: str) -> tuple[Form, ...]:
    """The entries of a recorded game."""
    with record_lines(str(LOGS / log)) as lines:
        _, forms = read_record(lines)
        return tuple(forms)


def recorded() -> dict[tuple[str, int], Sample]:
    """Of everything in the recorded games, for each type and schema version the one with most members."""
    found: dict[tuple[str, int], Sample] = {}
    for path in sorted(LOGS.rglob("*.ndjson*")):
        log = path.relative_to(LOGS).as_posix()
        with record_lines(str(path)) as lines:
            if read_record(lines)[0].scope != viewer_name(ALL):
                continue
        for form in forms_of(log):
            entry = form.entry
            written = [(entry["type"], entry["schema"], entry["data"])]
            if "command" in entry:
                command = entry["command"]
                written.append((command["type"], command.get("schema", 1), command))
            for name, schema, members in written:
                known = found.get((name, schema))
                if known is None or len(known.written) < len(members):
                    found[name, schema] = Sample(name, schema, log, entry["version"], members)
    return found


def main() -> None:
    """Write the files that are missing, and their hashes."""
    found, there = recorded(), stored()
    hashes = HASHES.read_text().splitlines() if HASHES.exists() else []
    for name, schema in sorted(writable()):
        if f"{name}-{schema}.json" in there:
            continue
        if (name, schema) not in found:
            print(f"{name}-{schema}: in no recorded game; add one in tests/logs/regenerate.py")  # noqa: T201
            continue
        sample = found[name, schema]
        content = msgspec.json.format(msgspec.json.encode(sample)) + b"\n"
        (SAMPLES / sample.file).write_bytes(content)
        hashes.append(f"{hashlib.sha256(content).hexdigest()}  {sample.file}")
        print(f"wrote {sample.file}")  # noqa: T201  # a command says what it does
    HASHES.write_text("".join(f"{line}\n" for line in sorted(hashes, key=lambda line: line.split()[1])))


if __name__ == "__main__":
    main()
