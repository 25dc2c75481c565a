"""`fieldbook partitions`: which are quarantined, whether all hold together, and releasing one."""

import sys
from collections.abc import Callable

import click


@click.group()
def partitions() -> None:
    """The partitions of the store: a damaged one takes nothing until it is released.

    Exit status: 0 when all is well, 1 when a partition is quarantined or damaged, 2 for wrong use or a store that
    cannot be reached.
    """


@partitions.command("list")
def list_partitions() -> None:
    """Show every partition with its number of appends, and why it is quarantined if it is."""
    from service.partition_runs import listed

    _exit_with(lambda: listed(click.echo))


@partitions.command()
@click.argument("partition", type=click.IntRange(0), required=False)
def check(partition: int | None) -> None:
    """Compare heads, logs and feeds now, of one partition or all; changes nothing."""
    from service.partition_runs import checked

    _exit_with(lambda: checked(partition, click.echo))


@partitions.command()
@click.argument("partition", type=click.IntRange(0))
@click.option("--yes", is_flag=True, help="Do not ask.")
def release(partition: int, *, yes: bool) -> None:
    """Let a quarantined partition take appends again, as it is.

    What was lost stays lost, and is not missed any more; a damaged game stays damaged and takes nothing.
    """
    from service.partition_runs import released

    def agreed(question: str) -> bool:
        return yes or click.confirm(question, err=True)

    _exit_with(lambda: released(partition, agreed, click.echo))


def _exit_with(run: Callable[[], int]) -> None:
    from events.store_errors import StoreError

    try:
        status = run()
    except StoreError as error:
        click.echo(error, err=True)
        status = 2
    sys.exit(status)
