"""`witness`: co-sign the checkpoints of transparency logs, over HTTP."""

import asyncio
import logging
import signal
import sys
import time
from pathlib import Path

import click

from replay.commands.shared.options import complete_files, example
from replay.commands.shared.trust import read_keys
from replay.platform.number_options import WholeRange
from replay.witness.server import WitnessServer, run
from replay.witness.state import StateUnusable, WitnessState
from replay.witness.witness import Witness

_PORT = 8600


@click.command(
    epilog=example(
        "fieldbook replay witness data/witness --log service.keys --name witness.example/w1",
        "fieldbook replay witness data/witness --key-only",
    )
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), shell_complete=complete_files)
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="KEY|FILE",
    help="A public key of a log to witness, or a file with one key on each line; repeatable.",
)
@click.option("--name", help="What the witness signs as; fixed at the first start, and made up without.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address that it listens on.")
@click.option(
    "--port",
    type=WholeRange(0, 65535),
    default=_PORT,
    show_default=True,
    help="Its port; 0: one that is free.",
)
@click.option("--key-only", is_flag=True, help="Print the witness's public key and end.")
def witness(
    folder: Path, logs: tuple[str, ...], *, name: str | None, host: str, port: int, key_only: bool
) -> None:
    """Co-sign the checkpoints of transparency logs (C2SP tlog-witness), until SIGTERM or Ctrl-C.

    FOLDER keeps the witness's key, made at the first start, and what was co-signed last. Never put
    it back to an older copy. Who runs a witness should be nobody who runs the log.
    """
    keys = read_keys(logs)
    if not keys and not key_only:
        raise click.UsageError("Name a log to witness: --log KEY or --log FILE.")
    try:
        state = WitnessState(folder, name)
    except StateUnusable as unusable:
        raise click.UsageError(f"{unusable}.") from unusable
    if key_only:
        click.echo(state.key)
        return
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(message)s", level=logging.INFO)

    def say(there: str, bound: int) -> None:
        click.echo(f"witness       {state.key}")
        for key in keys:
            click.echo(f"log           {key}")
        click.echo(f"listens at    http://{f'[{there}]' if ':' in there else there}:{bound}/add-checkpoint")
        sys.stdout.flush()

    async def serve() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await run(WitnessServer(Witness(state, keys, time.time)), host, port, say, stopped.wait())

    try:
        asyncio.run(serve())
    except OSError as error:
        raise click.UsageError(f"Nobody can listen at {host}, port {port}: {error.strerror}.") from error
    finally:
        state.close()
