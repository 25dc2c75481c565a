"""`fieldbook ready`: whether a running service takes commands, for whatever looks after it.

Container engines and timers ask every few seconds: so this imports hardly more than the standard library and click.
"""

import json
import os
import sys
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import click

from replay.platform.exit_status import FINDING

SECONDS = 4.0
"""How long an answer is waited for: longer than the service itself waits for its store."""
MOST_BYTES = 1_000_000
EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - told apart, not listened on
"""Addresses that are listened on and cannot be asked, and the one to ask instead."""


@click.command()
@click.option("--at", "address", default=None, help="Where the service is; else HOST and PORT say so.")
@click.option("--live", is_flag=True, help="Ask only whether it answers, whatever becomes of its store.")
@click.option("--process", default=None, help="Ask for a sign of life of this process, such as projector.")
def ready(address: str | None, process: str | None, *, live: bool) -> None:
    """Ask a running service whether it takes commands, and print what it says.

    Exit status: 0 when it does, 1 when it does not or does not answer, 2 wrong use.
    """
    base = _address() if address is None else address.rstrip("/")
    if not _is_address(base):
        raise click.UsageError("--at takes an address such as http://127.0.0.1:8000")
    if live and process is not None:
        raise click.UsageError("Only /readyz knows of other processes: --live and --process go not together.")
    is_well, said = _ask(f"{base}/{'healthz' if live else 'readyz'}")
    click.echo(said)
    if process is not None:
        is_well = _state(process, said) == "alive"
    sys.exit(0 if is_well else FINDING)


def _is_address(base: str) -> bool:
    try:
        return urlsplit(base).scheme in {"http", "https"}
    except ValueError:
        return False


def _address() -> str:
    host = os.environ.get("HOST", "")
    host = EVERYWHERE.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{os.environ.get('PORT') or 8000}"


class _NoRedirect(HTTPRedirectHandler):
    """Redirects are answers: another address must not speak for this one."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


def _ask(url: str) -> tuple[bool, str]:
    """Return whether the service says that it is well, and its answer."""
    try:
        with build_opener(_NoRedirect).open(url, timeout=SECONDS) as answer:
            said = answer.read(MOST_BYTES).decode("utf-8", "replace").strip()
            if _is_status(said):
                return answer.status == 200, said  # noqa: PLR2004
            kind = answer.headers.get("Content-Type", "no content type")
            return False, f"{url} answers with {answer.status} and {kind}, which no Fieldbook service sends"
    except HTTPError as refused:
        with refused:
            if place := refused.headers.get("Location"):
                return False, f"{url} answers with {refused.code} and points to {place}"
            said = refused.read(MOST_BYTES).decode("utf-8", "replace").strip()
            return False, said or f"{url} answers with {refused.code} and no content"
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        return False, f"{url} does not answer: {getattr(reason, 'strerror', None) or reason}"


def _is_status(said: str) -> bool:
    try:
        return "status" in json.loads(said)
    except (ValueError, TypeError):
        return False


def _state(process: str, said: str) -> str:
    """What the service says of a process: nothing while it is not ready itself.

    Raises:
        click.UsageError: it knows no such process.
    """
    try:
        processes = json.loads(said).get("processes", {})
    except (ValueError, AttributeError):
        return ""
    if processes and process not in processes:
        raise click.UsageError(f"The service knows of {', '.join(processes)}, not of {process!r}.")
    return str(processes.get(process, ""))
