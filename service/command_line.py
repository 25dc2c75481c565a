"""`fieldbook`: the processes by their names, and the subcommands in `service/cli`."""

import os
import sys

import click

from replay.commands.shared.lazy_commands import LazyGroup
from replay.platform.number_options import WholeRange
from service.cli.commands import COMMANDS

LOOPBACK = "127.0.0.1"


@click.group(cls=LazyGroup, lazy=COMMANDS)
def main() -> None:
    """Bean-trading card games as an append-only log that anybody can check."""


@main.command()
@click.option("--host", envvar="HOST", default=LOOPBACK, show_default=True, help="The address to listen on.")
@click.option("--port", type=WholeRange(1, 65535), help="The port to listen on; else PORT, or 8000.")
def up(host: str, port: int | None) -> None:
    """Start everything: web, worker, projector, bots and, unless REDIS_URL is set, the embedded store."""
    from service.up import start_all

    if port is not None:
        os.environ["PORT"] = str(port)
    sys.exit(start_all(host))


@main.command()
def serve() -> None:
    """Start the HTTP interface alone; the store must be running."""
    from service.web import main as serve_web

    serve_web()


@main.command()
def worker() -> None:
    """Start a worker, which validates finished games and audits them on request; several can run at once."""
    from service.worker import main as work

    work()


if __name__ == "__main__":
    main()
