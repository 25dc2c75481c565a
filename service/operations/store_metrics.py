"""What is asked of store and queue at the moment of a scrape: what lags, what waits, who lives, what was counted."""

import platform
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from events.rules.definition.rule_system import ENGINE_VERSION
from events.store.errors import StoreError
from service.operations.readiness import ANSWER_SECONDS, Readiness
from service.platform.cached_calls import CachedCall, TimeBounded
from service.platform.clock import now_milliseconds
from service.platform.release import release
from service.projections.generations import CREATED, DUE, generation_name
from service.projections.progress import BOTS, WEBHOOKS, PartitionProgress, projection_progress
from service.storage.checkpoints import Checkpoints
from service.storage.durability import read_durability
from service.storage.heartbeats import all_counts, living
from service.storage.queues import QueueWatch
from service.storage.server import FUNCTIONS
from service.storage.store import Store
from service.webhooks.deliveries import COUNTS, Deliveries

SCRAPE_SECONDS: Final = 1.0
"""However often somebody scrapes, the store is asked at most so often."""


class StoreMetrics(Collector):
    """Asks store and queue when it is collected."""

    def __init__(self, store: Store, readiness: Readiness, queue: QueueWatch | None = None) -> None:
        """Ask this store."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._deliveries = Deliveries(store)
        self._readiness = readiness
        self._queue = queue or QueueWatch()
        self._asked = TimeBounded(lambda: list(self._of_store()), ANSWER_SECONDS)
        self._found = CachedCall(lambda: list(self._collected()), SCRAPE_SECONDS)

    def collect(self) -> list[Metric]:
        """What prometheus_client asks for."""
        return self._found()

    def describe(self) -> list[Metric]:
        """Nothing: registering must not ask the store."""
        return []

    def _collected(self) -> Iterator[Metric]:
        yield InfoMetricFamily("fieldbook_build", "What is running.", value=_build())
        yield from self._of_queue()
        up = gauge(
            "fieldbook_store_up", "Whether the log's store answers and can be appended to as declared."
        )
        try:
            reason, _ = self._readiness.look()
            found = self._asked()
        except (StoreError, TimeoutError):
            reason, found = "away", []
        up.add_metric((), float(reason is None))
        yield up
        yield from found

    def _of_queue(self) -> Iterator[Metric]:
        queue = self._queue.look()
        up = gauge("fieldbook_queue_up", "Whether the job queue answers.")
        up.add_metric((), float(queue.reachable))
        yield up
        depth = gauge("fieldbook_queue_depth", "Jobs that wait, by queue.", "queue")
        for name, waiting in queue.depth.items():
            depth.add_metric((name,), waiting)
        yield depth
        workers = gauge("fieldbook_workers", "Workers that gave a sign of life lately.")
        workers.add_metric((), queue.workers)
        yield workers

    def _of_store(self) -> Iterator[Metric]:
        held, found = read_durability(self._store)
        settings = {name.replace("-", "_"): value for name, value in found.items()}
        level = {"level": self._readiness.durability, "held": held}
        yield InfoMetricFamily(
            "fieldbook_durability",
            "The declared level, the one that holds, and the settings that rests on.",
            value=level | settings,
        )
        processes = gauge("fieldbook_process_up", "Whether a process gave a sign of life lately.", "process")
        for name, alive in living(self._store).items():
            processes.add_metric((name,), float(alive))
        yield processes
        lag = gauge(
            "fieldbook_projection_lag",
            "Entries of the feeds that a projection has not applied.",
            "projection",
        )
        progress = projection_progress(self._store)
        lag.add_metric(("games",), sum(each.lag for each in progress))
        lag.add_metric(
            ("webhooks",), sum(max(0, each.end - self._webhooks_at(each.partition)) for each in progress)
        )
        lag.add_metric(("bots",), sum(max(0, each.end - self._bots_at(each.partition)) for each in progress))
        yield lag
        unread = gauge("fieldbook_quarantined_games", "Games that the list could not read to their end.")
        unread.add_metric((), sum(each.quarantined for each in progress))
        yield unread
        closed = gauge("fieldbook_quarantined_partitions", "Partitions to which nothing is appended.")
        closed.add_metric((), len(self._store.quarantine.reasons()))
        yield closed
        yield from self._of_games(progress)
        yield from self._of_webhooks()
        yield from self._of_counts()

    def _bots_at(self, partition: int) -> int:
        return self._checkpoints.checkpoint(partition, BOTS)

    def _webhooks_at(self, partition: int) -> int:
        return self._checkpoints.checkpoint(partition, WEBHOOKS)

    def _of_counts(self) -> Iterator[Metric]:
        families: dict[str, CounterMetricFamily] = {
            "bots_commands": counter(
                "fieldbook_bot_commands",
                "Commands of bots, by type and by what became of them.",
                "type",
                "outcome",
            ),
            COUNTS: counter(
                "fieldbook_webhook_deliveries",
                "Attempts to tell webhooks something, by what became of them; `given_up` is what is dead.",
                "outcome",
            ),
            "validations": counter(
                "fieldbook_validations", "Validations of finished games, by verdict.", "verdict"
            ),
        }
        for (name, *labels), number in sorted(all_counts(self._store).items()):
            if name in families:
                families[name].add_metric(labels, number)
        yield from families.values()

    def _of_games(self, progress: Sequence[PartitionProgress]) -> Iterator[Metric]:
        listed = gauge("fieldbook_games", "Games in the list.")
        due = gauge("fieldbook_games_to_validate", "Finished games without a report.")
        for metric, part in ((listed, CREATED), (due, DUE)):
            metric.add_metric((), sum(self._size(part, each) for each in progress))
            yield metric

    def _of_webhooks(self) -> Iterator[Metric]:
        number, since = self._deliveries.overdue()
        waiting = gauge("fieldbook_webhook_waiting", "What webhooks have not been told yet.")
        waiting.add_metric((), number)
        yield waiting
        oldest = gauge("fieldbook_webhook_oldest_seconds", "How long the oldest of it has been waiting.")
        oldest.add_metric((), max(0.0, (now_milliseconds() - since) / 1000) if since is not None else 0.0)
        yield oldest

    def _size(self, part: str, where: PartitionProgress) -> int:
        name = generation_name(where.generation)
        return self._checkpoints.count_ranked(where.partition, name, part)


@cache
def _build() -> dict[str, str]:
    """What a report of a fault should name."""
    return {
        "release": release(),
        "engine": str(ENGINE_VERSION),
        "store_functions": FUNCTIONS,
        "python": platform.python_version(),
    }


def gauge(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    """A number of now."""
    return GaugeMetricFamily(name, text, labels=labels)


def counter(name: str, text: str, *labels: str) -> CounterMetricFamily:
    """A number that only grows."""
    return CounterMetricFamily(name, text, labels=labels)
