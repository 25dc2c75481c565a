"""`python -m service.web`: the HTTP interface under gunicorn."""

import os
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from service.catalogues import Catalogues, catalogues_at_start
from service.http.app import create_app
from service.process_logging import log_to_standard_error
from service.signing_keys import open_signing_keys
from service.store_opening import open_store
from service.store_settings import StoreSettings

PROCESSES = 2
THREADS = 64
"""Threads of one process; `service.http.streams.MOST_STREAMS` of them may be held by streams."""
GRACEFUL_SECONDS = 5


class WebProcess(BaseApplication):  # type: ignore[misc] # gunicorn is not typed
    """gunicorn, configured here."""

    def __init__(self, catalogues: Catalogues) -> None:
        """Set up games with these catalogues in every process, whatever becomes of their files."""
        self._catalogues = catalogues
        super().__init__()

    def load_config(self) -> None:
        """Set what we need and leave the rest as it is."""
        host, port = os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000")
        settings: dict[str, Any] = {
            "bind": f"{host}:{port}",
            "workers": int(os.environ.get("WEB_PROCESSES", PROCESSES)),
            "threads": THREADS,
            "worker_class": "service.http.wire_problems.ProblemWorker",
            "graceful_timeout": GRACEFUL_SECONDS,
            "timeout": 60,
            "keepalive": 20,
            # Else a client could name the application's root, and gunicorn answers what it makes of that with a 500.
            "forwarder_headers": "",
            "loglevel": "warning",
            "proc_name": "fieldbook-web",
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application, in each process its own."""
        settings = StoreSettings.from_environment()
        keys = open_signing_keys(settings)
        return create_app(open_store(settings), settings.durability.value, keys, self._catalogues)


def main() -> None:
    """Serve until SIGTERM or SIGINT; status 2 at once where the configured catalogues are refused."""
    log_to_standard_error()
    WebProcess(catalogues_at_start()).run()


if __name__ == "__main__":
    main()
