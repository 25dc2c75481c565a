"""What is asked of store and queue at the moment of a scrape: what lags, what waits, who lives, what was counted."""

import platform
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from events.rules.definition.rule_system import ENGINE_VERSION
from events.store.errors import StoreError
from service.operations.readiness import Readiness
from service.operations.room import find_room
from service.platform.cached_calls import CachedCall, TimeBounded
from service.platform.clock import now_milliseconds
from service.platform.release import release
from service.projections.generations import CREATED, DUE, generation_name
from service.projections.progress import BOTS, WEBHOOKS, PartitionProgress, projection_progress
from service.storage.checkpoints import Checkpoints
from service.storage.durability import read_durability
from service.storage.heartbeats import LOOP_FAILURES_NAME, all_counts, living
from service.storage.queues import QueueWatch
from service.storage.server import FUNCTIONS
from service.storage.store import Store
from service.verification.store import LOG, LOG_PARTITION, CosignatureRecords
from service.verification.witnessing import COUNTS as WITNESSING
from service.webhooks.deliveries import COUNTS
from service.webhooks.store import Deliveries

ANSWER_SECONDS: Final = 1.5
"""How long a scrape waits for the store; with what it waits for the queue, less than three seconds."""
SCRAPE_SECONDS: Final = 1.0
"""However often somebody scrapes, the store is asked at most so often."""


class StoreMetrics(Collector):
    """Asks store and queue when it is collected."""

    def __init__(self, store: Store, readiness: Readiness, queue: QueueWatch | None = None) -> None:
        """Ask this store."""
        self._store = store
        self._checkpoints = Checkpoints(store)
        self._deliveries = Deliveries(store)
        self._cosignatures = CosignatureRecords(store)
        self._readiness = readiness
        self._queue = queue or QueueWatch()
        self._asked = TimeBounded(lambda: (readiness.look()[0], list(self._of_store())), ANSWER_SECONDS)
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
        try:
            reason, found = self._asked()
        except (StoreError, TimeoutError):
            reason, found = "away", []
        yield GaugeMetricFamily(
            "fieldbook_store_up",
            "Whether the log's store answers and can be appended to as declared.",
            reason is None,
        )
        yield from found

    def _of_queue(self) -> Iterator[Metric]:
        queue = self._queue.look()
        yield GaugeMetricFamily("fieldbook_queue_up", "Whether the job queue answers.", queue.reachable)
        yield _by_label("fieldbook_queue_depth", "Jobs that wait, by queue.", "queue", queue.depth)
        yield GaugeMetricFamily(
            "fieldbook_workers", "Workers that gave a sign of life lately.", queue.workers
        )

    def _of_store(self) -> Iterator[Metric]:
        held, found = read_durability(self._store)
        settings = {name.replace("-", "_"): value for name, value in found.items()}
        level = {"level": self._readiness.durability, "held": held}
        yield InfoMetricFamily(
            "fieldbook_durability",
            "The declared level, the one that holds, and the settings that rests on.",
            value=level | settings,
        )
        yield _by_label(
            "fieldbook_process_up",
            "Whether a process gave a sign of life lately.",
            "process",
            living(self._store),
        )
        yield from self._of_room()
        progress = projection_progress(self._store)
        yield _by_label(
            "fieldbook_projection_lag",
            "Entries of the feeds that a projection has not applied.",
            "projection",
            {
                "games": sum(each.lag for each in progress),
                "webhooks": self._lag(WEBHOOKS, progress),
                "bots": self._lag(BOTS, progress),
            },
        )
        for name, text, number in (
            (
                "fieldbook_quarantined_games",
                "Games that the list could not read to their end.",
                sum(each.quarantined for each in progress),
            ),
            (
                "fieldbook_quarantined_partitions",
                "Partitions to which nothing is appended.",
                len(self._store.quarantine.reasons()),
            ),
            ("fieldbook_games", "Games in the list.", self._size(CREATED, progress)),
            (
                "fieldbook_games_to_validate",
                "Finished games without a report.",
                self._size(DUE, progress),
            ),
        ):
            yield GaugeMetricFamily(name, text, number)
        yield from self._of_log()
        yield from self._of_webhooks()
        yield from self._of_counts()

    def _of_room(self) -> Iterator[Metric]:
        room = find_room(self._store)
        for name, text, number in (
            ("store_memory_bytes", "Memory that the store's server uses.", room.memory.used),
            ("store_memory_limit_bytes", "Limit of that memory; 0 for none.", room.memory.limit),
            ("disk_free_bytes", "Free space on the disk of the data folder.", room.disk and room.disk.free),
            ("disk_size_bytes", "Size of the disk of the data folder.", room.disk and room.disk.size),
            ("disk_reserve_bytes", "Free space below which the service is degraded.", room.reserve),
        ):
            if number is not None:
                yield GaugeMetricFamily(f"fieldbook_{name}", text, number)

    def _of_log(self) -> Iterator[Metric]:
        size = self._checkpoints.checkpoint(LOG_PARTITION, LOG)
        yield GaugeMetricFamily("fieldbook_log_entries", "Entries of the transparency log.", size)
        witnessed = self._cosignatures.last_size()
        if witnessed is not None:
            yield GaugeMetricFamily(
                "fieldbook_log_entries_witnessed",
                "Entries of the largest transparency log that a witness has co-signed.",
                witnessed,
            )

    def _of_webhooks(self) -> Iterator[Metric]:
        number, since = self._deliveries.overdue()
        yield GaugeMetricFamily("fieldbook_webhook_waiting", "What webhooks have not been told yet.", number)
        yield GaugeMetricFamily(
            "fieldbook_webhook_oldest_seconds",
            "How long the oldest of it has been waiting.",
            max(0.0, (now_milliseconds() - since) / 1000) if since is not None else 0.0,
        )

    def _of_counts(self) -> Iterator[Metric]:
        families = {
            "bots_commands": CounterMetricFamily(
                "fieldbook_bot_commands",
                "Commands of bots, by type and by what became of them.",
                labels=("type", "outcome"),
            ),
            COUNTS: CounterMetricFamily(
                "fieldbook_webhook_deliveries",
                "Attempts to tell webhooks something, by what became of them; `given_up` is what is dead.",
                labels=("outcome",),
            ),
            WITNESSING: CounterMetricFamily(
                "fieldbook_witness_requests",
                "Requests to witnesses to co-sign the transparency log, by what became of them.",
                labels=("witness", "outcome"),
            ),
            LOOP_FAILURES_NAME: CounterMetricFamily(
                "fieldbook_background_loop_failures",
                "The same in the processes that serve no requests, since the installation began.",
                labels=("loop",),
            ),
            "validations": CounterMetricFamily(
                "fieldbook_validations", "Validations of finished games, by verdict.", labels=("verdict",)
            ),
        }
        for (name, *labels), number in sorted(all_counts(self._store).items()):
            if name in families:
                families[name].add_metric(labels, number)
        yield from families.values()

    def _lag(self, projection: str, progress: Sequence[PartitionProgress]) -> int:
        """Entries of the feeds behind the checkpoints of a projection."""
        at = self._checkpoints.checkpoint
        return sum(max(0, each.end - at(each.partition, projection)) for each in progress)

    def _size(self, part: str, progress: Sequence[PartitionProgress]) -> int:
        """Members of a sorted set of the list of games."""
        count = self._checkpoints.count_ranked
        return sum(count(each.partition, generation_name(each.generation), part) for each in progress)


@cache
def _build() -> dict[str, str]:
    """What a report of a fault should name."""
    return {
        "release": release(),
        "engine": str(ENGINE_VERSION),
        "store_functions": FUNCTIONS,
        "python": platform.python_version(),
    }


def _by_label(name: str, text: str, label: str, numbers: Mapping[str, float]) -> GaugeMetricFamily:
    """Numbers of now, by a label's values."""
    metric = GaugeMetricFamily(name, text, labels=(label,))
    for value, number in numbers.items():
        metric.add_metric((value,), number)
    return metric
