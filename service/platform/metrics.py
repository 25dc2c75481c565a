"""What the HTTP interface counts, as Prometheus metrics.

The processes of the interface each answer a part of the requests, and any of them may be asked for the metrics. So
they count in memory that they share (`service.platform.shared_numbers`), and the one that is asked adds up. Not in
prometheus_client's multiprocess mode: it maps files, and a process that writes to a mapped file on a full disk is
killed. What can be computed from the store is not counted here but asked for by
`service.operations.store_metrics` at the moment of the scrape, once for all processes.

No label says who plays what: a label is a route's template, a status, a type of command, a code, a name from our own
tables.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any, Final

import msgspec
import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from events.commands import Command
from service.platform.shared_numbers import OwnNumbers, SharedNumbers

APPEND_BUCKETS: Final = (
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
)  # fmt: skip
"""Seconds; a write to a good disk takes a quarter of a millisecond, one that waits for a replica a few."""
REQUEST_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
"""Seconds until an answer begins."""

# These parts of the library have no types.
_library: Any = prometheus_client
_values: Any = values
LOOP_FAILURES: Final = Counter(
    "fieldbook_loop_failures_total",
    "Unexpected failures in loops of the HTTP interface that continue, by loop; the logs contain the tracebacks.",
    ("loop",),
    registry=None,
)
"""Failures in the loops of this process that must not stop: each is logged, and its loop continues."""
_GAUGES: Final = b'["gauge"'
"""How the names of gauges begin among shared numbers."""
_log = logging.getLogger("fieldbook.metrics")


class Metrics:
    """Counters of one process, or of all processes that share numbers."""

    def __init__(self, shared: SharedNumbers | None = None, place: int | None = None) -> None:
        """Count in this place of shared numbers, or in this process alone."""
        self._shared = shared
        _library.disable_created_metrics()
        own = self._own = CollectorRegistry()
        if shared is not None and place is not None:
            # What the library documents for processes that have identifiers of their own.
            _values.ValueClass = partial(_SharedValue, _Counting(shared.take(place)))
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

        own.register(LOOP_FAILURES)

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
        for collector in (_Counted(self._own, self._shared), *more):
            found.register(collector)
        return found


def forget_process(shared: SharedNumbers, place: int) -> None:
    """Leave out what only a living process has, such as open streams; its counts stay."""
    shared.clear(place, _GAUGES)


class _Counting:
    """State shared by all values of a process."""

    def __init__(self, numbers: OwnNumbers) -> None:
        self.numbers = numbers
        self.lock = Lock()
        self._is_full = False

    def find(self, name: bytes) -> int | None:
        """Return where a number is; None if there is no room for it, which is said once."""
        at = self.numbers.find(name)
        if at is None and not self._is_full:
            self._is_full = True
            _log.warning("some metrics are left out: this process has too many of them")
        return at


class _SharedValue:
    """A number of the library's metrics that is kept in shared memory; as `prometheus_client.values.MutexValue`."""

    _multiprocess = False

    def __init__(  # noqa: PLR0917 - the library's own signature
        self,
        counting: _Counting,
        kind: str,
        family: str,
        name: str,
        label_names: Sequence[str],
        label_values: Sequence[str],
        *_: object,
        **__: object,
    ) -> None:
        labels = dict(zip(label_names, label_values, strict=True))
        self._counting = counting
        with counting.lock:
            self._at = counting.find(msgspec.json.encode((kind, family, name, labels)))
            self._value = 0.0 if self._at is None else counting.numbers.read(self._at)

    def inc(self, amount: float) -> None:
        with self._counting.lock:
            self._set(self._value + amount)

    def set(self, value: float, timestamp: float | None = None) -> None:  # noqa: ARG002 - the library's signature
        with self._counting.lock:
            self._set(value)

    def get(self) -> float:
        return self._value

    def set_exemplar(self, exemplar: object) -> None:
        """Do nothing: exemplars are not shared."""

    def get_exemplar(self) -> None:
        """Return None: exemplars are not shared."""

    def _set(self, value: float) -> None:
        self._value = value
        if self._at is not None:
            self._counting.numbers.write(self._at, value)


class _Counted(Collector):
    """The metrics of this process, or of all processes added up."""

    def __init__(self, own: CollectorRegistry, shared: SharedNumbers | None) -> None:
        self._own = own
        self._shared = shared

    def collect(self) -> Iterator[Metric]:
        if self._shared is None:
            yield from self._own.collect()
            return
        families: dict[str, list[tuple[str, dict[str, str], float]]] = {}
        for stored, number in self._shared.sums().items():
            _, family, name, labels = msgspec.json.decode(stored)
            families.setdefault(family, []).append((name, labels, number))
        for each in self._own.collect():
            found = Metric(each.name, each.documentation, each.type)
            numbers = families.get(each.name, [])
            for name, labels, number in (
                _cumulated(each.name, numbers) if each.type == "histogram" else numbers
            ):
                found.add_sample(name, labels, number)
            yield found


def _cumulated(
    family: str, numbers: Sequence[tuple[str, Mapping[str, str], float]]
) -> Iterator[tuple[str, dict[str, str], float]]:
    """Yield the samples of a histogram: shared numbers count each bucket by itself, samples those below it too."""
    buckets: dict[tuple[tuple[str, str], ...], list[tuple[float, str, float]]] = {}
    for name, labels, number in numbers:
        if "le" in labels:
            rest = tuple((each, value) for each, value in labels.items() if each != "le")
            buckets.setdefault(rest, []).append((float(labels["le"]), labels["le"], number))
        else:
            yield name, dict(labels), number
    for rest, found in buckets.items():
        total = 0.0
        for _, bound, number in sorted(found):
            total += number
            yield f"{family}_bucket", {**dict(rest), "le": bound}, total
        yield f"{family}_count", dict(rest), total


def command_type(command: Command) -> str:
    """The type of a command as it is written in JSON."""
    return str(command.__struct_config__.tag)
