"""What the HTTP interface counts, as Prometheus metrics.

The processes of the interface each answer a part of the requests, and any of them may be asked for the metrics. So
their numbers lie in files that all of them map into memory (prometheus_client's multiprocess mode), in a folder that
is made new at each start. What can be computed from the store is not counted here but asked for by
`service.operations.store_metrics` at the moment of the scrape, once for all processes.

No label says who plays what: a label is a route's template, a status, a type of command, a code, a name from our own
tables.
"""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import prometheus_client
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    multiprocess,
    values,
)
from prometheus_client.registry import Collector

from events.commands import Command

APPEND_BUCKETS: Final = (
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
)  # fmt: skip
"""Seconds; a write to a good disk takes a quarter of a millisecond, one that waits for a replica a few."""
REQUEST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Seconds until an answer begins."""

# These parts of the library have no types.
_library: Any = prometheus_client
_values: Any = values
_multiprocess: Any = multiprocess


class Metrics:
    """Counters of one process, or of all processes that share a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        """Count in files in this folder, together with others, or in this process alone."""
        self._folder = folder
        _library.disable_created_metrics()
        if folder is not None:
            # prometheus_client documents both; it looks at the environment by itself only when it is imported.
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
            # It is made where it counts, so nobody need ask at each count which process this is.
            process = os.getpid()
            _values.ValueClass = _values.MultiProcessValue(lambda: process)
        own = CollectorRegistry()
        counter, histogram = partial(Counter, registry=own), partial(Histogram, registry=own)
        self.commands = counter(
            "fieldbook_commands_total",
            "Commands sent over HTTP, by type and by what became of them.",
            ("type", "outcome"),
        )
        self.refusals = counter(
            "fieldbook_refusals_total",
            "Problem documents in answers, by their code; also what stopped an array of commands.",
            ("code",),
        )
        self.appends = histogram(
            "fieldbook_append_seconds",
            "How long the store took to append, as the HTTP interface saw it.",
            buckets=APPEND_BUCKETS,
        )
        self.requests = histogram(
            "fieldbook_request_seconds",
            "How long it took until an answer began, by route and status.",
            ("method", "route", "status"),
            buckets=REQUEST_BUCKETS,
        )
        self.limited = counter(
            "fieldbook_rate_limited_total",
            "Requests refused for a used-up quota, by the quota's name.",
            ("quota",),
        )
        self.unlimited = counter(
            "fieldbook_rate_limits_away_total",
            "Requests for which the counts of the rate limits could not be reached.",
        )
        self.streams = Gauge(
            "fieldbook_streams_open",
            "Event streams and long polls that are open.",
            multiprocess_mode="livesum",
            registry=own,
        )

    def count_commands(self, commands: Sequence[Command], outcome: str, place: int | None = None) -> None:
        """Count commands that were sent together; as `service.play.outcome.CommandWatch`."""
        for each, command in enumerate(commands):
            happened = outcome if place is None or each == place else "not_applied"
            self.commands.labels(command_type(command), happened).inc()

    def count_append(self, seconds: float) -> None:
        """Count an append; as `service.play.outcome.CommandWatch`."""
        self.appends.observe(seconds)

    def registry(self, *more: Collector) -> CollectorRegistry:
        """Everything that is counted, by all processes, and what these further collectors find."""
        found = CollectorRegistry()
        if self._folder is None:
            counted = self.commands, self.refusals, self.appends, self.requests
            for each in (*counted, self.limited, self.unlimited, self.streams):
                found.register(each)
        else:
            _multiprocess.MultiProcessCollector(found, str(self._folder))
        for collector in more:
            found.register(collector)
        return found


def forget_process(process: int, folder: Path) -> None:
    """Leave out what only a living process has, such as open streams; its counts stay."""
    _multiprocess.mark_process_dead(process, str(folder))


def command_type(command: Command) -> str:
    """The type of a command as it is written in JSON."""
    return str(command.__struct_config__.tag)
