"""The HTTP interface, in processes that gunicorn starts and watches."""

import gc
import logging
import socket
import sys
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from replay.commentary.messages import load_languages
from service.catalogues.catalogues import Catalogues, catalogues_at_start
from service.http.app import Application, application_of_resources, create_app
from service.http.push.stream_limits import connections, make_room
from service.platform.metrics import Metrics, forget_process
from service.platform.process_logging import log_to_standard_error
from service.platform.setting_kinds import host_and_port
from service.platform.shared_numbers import SharedNumbers
from service.server.bulkhead.bulkhead import Bulkhead
from service.server.memory import give_memory_back
from service.server.parent_watch import end_with_parents
from service.server.web_worker import QuietLogger, WebWorker
from service.startup.checks import exit_on_faults
from service.startup.start_report import say_that_it_starts
from service.startup.startup_error import exit_on_startup_error
from service.startup.store_opening import open_store
from service.startup.web_settings import WebSettings
from service.storage.queues import check_queue
from service.storage.settings import StoreSettings
from service.telemetry.starting import start_recording
from service.verification.signing_keys import open_signing_keys

THREADS = 64
"""Threads of one process: requests that it works on at once."""
SWITCH_SECONDS = 0.0005
"""After so long a thread lets another one go on: a command waits for its turn after each answer of the store."""
COLLECT_AFTER = (10_000, 20, 20)
"""Objects, and collections of younger ones, after which it is looked for those that hold one another: requests leave
next to none."""
GRACEFUL_SECONDS = 5
WRONG_USE = 2
_log = logging.getLogger("fieldbook.web")


class WebProcess(BaseApplication):  # type: ignore[misc] # gunicorn is not typed
    """gunicorn, configured here: so many processes that serve clients, and one for what takes long.

    Attributes:
        bulkhead: the way to that one; None where the system has no such sockets, and everybody does everything.
    """

    def __init__(self, settings: WebSettings, catalogues: Catalogues, application: Application) -> None:
        """Set up games with these catalogues in every process, whatever becomes of their files.

        The application has its resources; each process gives it a store of its own.
        """
        self.bulkhead = Bulkhead() if hasattr(socket, "SOCK_SEQPACKET") else None
        self._application = application
        self._settings = settings
        self._catalogues = catalogues
        # Twice as many places as processes: one that ends and the one that follows it may run side by side.
        self._counted = SharedNumbers(2 * (settings.processes + 1))
        self._place: int | None = None
        super().__init__()

    def load_config(self) -> None:
        """Set what we need and leave the rest as it is."""
        settings: dict[str, Any] = {
            "bind": host_and_port(self._settings.host, self._settings.port),
            "workers": self._settings.processes + (self.bulkhead is not None),
            "threads": THREADS,
            "worker_class": WebWorker,
            "worker_connections": connections(),
            "graceful_timeout": GRACEFUL_SECONDS,
            "timeout": 60,
            "logger_class": QuietLogger,
            "proc_name": "fieldbook-web",
            # Through it others could change this process, and it would be one for all installations of a user.
            "control_socket_disable": True,
            "pre_fork": self._prepare,
            "post_fork": self._begin,
            "child_exit": self._forget,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def _prepare(self, arbiter: Any, worker: WebWorker) -> None:
        """Decide where a process will count and serve: behind the bulkhead unless one is missing in front."""
        in_front = sum(not each.is_behind for each in arbiter.WORKERS.values())
        worker.is_behind = in_front >= self._settings.processes
        taken = {each.counts_at for each in arbiter.WORKERS.values()}
        worker.counts_at = next((each for each in self._counted.places if each not in taken), None)

    def _begin(self, arbiter: Any, worker: WebWorker) -> None:
        """Continue in the forked process."""
        worker.inherited = arbiter.SIG_QUEUE
        self._place = worker.counts_at

    def _forget(self, _arbiter: Any, worker: WebWorker) -> None:
        """Leave out what a process that has ended had open."""
        if worker.counts_at is not None:
            forget_process(self._counted, worker.counts_at)

    def load(self) -> Flask:
        """Complete the application, in each process for itself."""
        settings = StoreSettings.from_environment()
        start_recording("web")
        keys = open_signing_keys(settings)
        store = open_store(settings)
        say_that_it_starts("web", settings, store)
        level = settings.durability.value
        app = create_app(
            store,
            level,
            keys,
            self._catalogues,
            settings=self._settings,
            metrics=Metrics(self._counted, self._place),
            application=self._application,
        )
        # All of this stays: to look at it again and again would stop every request for a tenth of a second.
        gc.freeze()
        gc.set_threshold(*COLLECT_AFTER)
        give_memory_back()
        sys.setswitchinterval(SWITCH_SECONDS)
        return app


def serve() -> None:
    """Serve until SIGTERM or SIGINT; status 2 where settings, catalogues, queue, store or keys are refused."""
    exit_on_faults()
    log_to_standard_error(batched=True)
    web_settings = WebSettings.from_environment()
    catalogues = catalogues_at_start()
    # Before the store is asked, which is still starting.
    application = application_of_resources()
    load_languages()
    with exit_on_startup_error():
        check_queue()
        settings = StoreSettings.from_environment()
        # Each of its processes opens them again; here, a refusal ends all of it at once and is said once.
        open_store(settings).close()
        open_signing_keys(settings)
    refused = make_room()
    if refused is not None:
        _log.warning(refused)
    end_with_parents(GRACEFUL_SECONDS + 1)
    # What is here before the fork is no process's garbage, and none copies it by counting in it.
    gc.freeze()
    gc.enable()
    WebProcess(web_settings, catalogues, application).run()
