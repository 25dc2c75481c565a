"""The rows of the table: a module for each benchmark, with `ABOUT` in one line and `run`, which measures its rows.

`run` is bounded in time, leaves no process and no file behind, and raises what kept a row from being measured.
"""

from typing import Final

_MODULES: Final = (
    "http_commands boardgame_io latency spectators idle_streams replay audit audit_workers self_play environment "
    "installation start"
)
ROWS: Final = {name.replace("_", "-"): name for name in _MODULES.split()}
"""The modules of this package by the names of their benchmarks, in the order of the table."""
