"""Tools that read records of games and trust nobody: verify, show and step through what was played."""

from pathlib import Path

import events

_FOUND, _OURS = Path(next(iter(events.__path__))).resolve(), Path(__file__).resolve().parents[1] / "events"
if _FOUND != _OURS:
    raise ImportError(
        f"Fieldbook needs its own package `events`, and {_FOUND} stands before it on the path: run it in another"
        " folder, or with `python -P`."
    )
