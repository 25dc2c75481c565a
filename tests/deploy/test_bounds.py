"""What each process may take of memory and tasks, in units, compose files and manifests: enough, and bounded.

What is enough follows from what was measured, and from limits of the code.
"""

import re
from typing import Any, Final

import pytest

from service.annotations.store import CACHED_BYTES as ANNOTATIONS
from service.archive.files import CACHED_BYTES as ARCHIVED
from service.disputes.disputes import KEPT_BYTES as DISPUTES
from service.http.resources.verifications import AT_ONCE
from service.platform.configuration import WEB_PROCESSES
from service.server.incoming_body import MOST_ARRIVING
from service.server.outgoing_answers import MOST_LEAVING
from service.server.web_process import THREADS
from service.tournaments.tournaments import KEPT_BYTES as TOURNAMENTS
from service.verification.confined import MEMORY as VERIFYING
from service.webhooks.delivery.addresses import LOOK_UPS
from service.webhooks.delivery.senders import SENDERS
from tests.deploy.files import DEPLOY, EVERY_PROCESS, PROCESSES, Unit, compose, pod, workloads

MEGABYTE: Final = 2**20
MEASURED: Final = {"web": 246, "worker": 42, "projector": 44, "bots": 44, "webhooks": 51}
"""MiB that each process used at most (docs/performance.md); `web` with 10,000 idle streams."""
WEB: Final = int(WEB_PROCESSES.default) + 1
"""Those that serve clients, and the one for what takes long."""
ARRIVING: Final = WEB * MOST_ARRIVING
"""Bytes of uploads on their way, which lie in files below /tmp."""
OF_A_WEB_PROCESS: Final = MOST_LEAVING + ANNOTATIONS + ARCHIVED + DISPUTES + TOURNAMENTS
TAKEN: Final = {name: 10 * used * MEGABYTE for name, used in MEASURED.items()} | {
    "web": WEB * (MEASURED["web"] * MEGABYTE + OF_A_WEB_PROCESS) + AT_ONCE * VERIFYING
}
"""Bytes for which there must be room: all that may come to `web` at once, ten times what each of the others took."""
TASKS: Final = {"web": WEB * (THREADS + 32), "webhooks": 2 * SENDERS + LOOK_UPS + 32}
"""Threads for which there must be room: a sender's request has a timer; 32 are those that asyncio makes at most."""
SERVICES: Final = compose()["services"]
WORKLOADS: Final = workloads()


def size(text: str) -> int:
    """Bytes, as systemd, Compose and Kubernetes write them."""
    (number, unit) = re.fullmatch(r"(\d+)(Mi|Gi|[mgMG])", text).groups()  # type: ignore[union-attr]
    return int(number) * {"m": MEGABYTE, "g": 2**30}[unit[0].lower()]


def unit(name: str) -> Any:
    """A process's settings under systemd."""
    return Unit(DEPLOY / "systemd" / f"fieldbook-{name}.service")["Service"]


def temporary(name: str) -> int:
    """Bytes that a compose file lets a process have in memory below /tmp."""
    (mount,) = SERVICES[name]["tmpfs"]
    return size(mount.partition("size=")[2])


@pytest.mark.parametrize("name", PROCESSES)
def test_each_process_has_room_for_all_that_it_may_take(name: str) -> None:
    """A bound below that would end it for what it was made to bear."""
    (container,) = pod(WORKLOADS[name])["containers"]
    bounds = (
        size(unit(name)["MemoryMax"]),
        size(SERVICES[name]["mem_limit"]) - temporary(name),
        size(container["resources"]["limits"]["memory"]),
    )
    assert min(bounds) >= TAKEN[name]
    for tasks in (unit(name)["TasksMax"], SERVICES[name]["pids_limit"]):
        assert int(tasks) >= TASKS.get(name, 32)


def test_uploads_find_room_below_tmp() -> None:
    """Those of all processes of the HTTP interface at once; under systemd /tmp is the machine's."""
    (volume,) = (each for each in pod(WORKLOADS["web"])["volumes"] if each["name"] == "tmp")
    assert "medium" not in volume["emptyDir"]
    assert min(temporary("web"), size(volume["emptyDir"]["sizeLimit"])) >= ARRIVING


def test_nothing_is_unbounded_but_the_embedded_store_which_bounds_itself() -> None:
    """Whatever runs, also Caddy and the check of the HTTP interface."""
    assert "MemoryMax" not in unit("store")
    for name in {*EVERY_PROCESS, "web-check"} - {"store"}:
        assert {"MemoryMax", "TasksMax"} <= set(unit(name))
    for service in [*SERVICES.values(), compose("compose.tls.yaml")["services"]["caddy"]]:
        assert {"mem_limit", "pids_limit"} <= set(service)


def test_where_several_processes_share_a_bound_the_others_outlive_the_largest() -> None:
    """An upload that is verified, or a job, must not take all streams, or the worker, with it."""
    policies = {name: unit(name).get("OOMPolicy") for name in EVERY_PROCESS}
    assert {name for name, policy in policies.items() if policy == "continue"} == {"web", "worker"}


def test_no_drop_in_takes_the_place_of_a_units_own_bounds() -> None:
    """What stands in it is read after the unit, and counts."""
    shared = Unit(DEPLOY / "systemd" / "fieldbook-.service.d" / "hardening.conf")["Service"]
    assert not {"MemoryMax", "TasksMax", "OOMPolicy"} & set(shared)
