"""Signs to systemd, which starts again what gives none for long: a loop that turns no more (`WatchdogSec=`)."""

import logging

from gunicorn.systemd import sd_notify

_log = logging.getLogger("fieldbook.processes")


def keep_alive() -> None:
    """Tell systemd that this process is at work (sd_notify(3), `WATCHDOG=1`); nothing where systemd did not start it.

    Where nobody listens the work goes on all the same.
    """
    sd_notify("WATCHDOG=1", _log)
