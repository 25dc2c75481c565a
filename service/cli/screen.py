"""`fieldbook screen`: which players do more for each other than for others, over the store's games or records."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from replay.across.left import BY_CHOICE, Reason
from replay.across.screening.figures.observing import observe
from replay.across.screening.figures.reading import TO_CHOOSE, sort_answers
from replay.across.screening.telling.following_up import Places
from replay.commands.shared.options import complete_files, example
from replay.commands.shared.screening import Read, ScreenOptions, screen_games, screening_options
from replay.platform.exit_status import INTERRUPTED, WRONG_USE
from service.across.passes import SCREEN
from service.across.queued_map import NotMapped
from service.cli.exit_status import exit_with_status
from service.cli.many_games import Readers, by_workers_option, follow_with_bar, open_source
from service.platform.configuration import DISPUTE_SECONDS
from service.platform.targets import TargetUnavailable
from service.storage.queues import QueueError

STORE_TELLS: Final = frozenset({Reason.PRIVATE, Reason.QUARANTINED})
"""What no record tells of its game."""
TO_INCLUDE: Final = (*TO_CHOOSE, *sorted(STORE_TELLS))
"""What is left out of a store's games unless somebody asks for it."""
TO_LEAVE_OUT: Final = (Reason.UNLISTED,)
"""What of a store's games counts unless somebody leaves it out."""
LOCAL: Final = "http://127.0.0.1:8000"
"""The service that commands name where no other is named."""


@click.command(
    epilog=example(
        "fieldbook screen --service https://example.org",
        "fieldbook screen games --pseudonyms data/names.key --json",
    )
)
@click.argument(
    "folder",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    shell_complete=complete_files,
)
@click.option("--archive", is_flag=True, help="Take the files of the archive, without asking the store.")
@by_workers_option
@click.option(
    "--leave-out",
    type=click.Choice([each.value for each in TO_LEAVE_OUT]),
    multiple=True,
    help="Leave these games of the store out, too.",
)
@screening_options(each.value for each in TO_INCLUDE)
@exit_with_status
def screen(
    *,
    folder: Path | None,
    archive: bool,
    by_workers: bool,
    leave_out: tuple[str, ...],
    included: tuple[str, ...],
    **given: Any,
) -> int:
    """Look for players who do more for each other than for others, in the store or a folder of records.

    What stands out is unusual, and proves nothing: look at the moments, and decide yourself. Status
    0: no pair stands out, 1: one does, or a record is in question, 2: wrong use, or nothing was compared.
    """
    options = ScreenOptions(**given)
    source = open_source(folder, archive=archive)
    readers = Readers(source, options.workers, by_workers)
    chosen = frozenset(included)
    if (folder is not None or archive) and (leave_out or chosen & STORE_TELLS):
        raise click.UsageError(
            "No record tells who may see its game, or that it is in quarantine: a store does."
        )
    left = BY_CHOICE - {*TO_LEAVE_OUT} - chosen | frozenset(map(Reason, leave_out))

    def read() -> Read:
        names = list(source.names())
        answers = readers.map(SCREEN, partial(observe, included=chosen), left, names, sorted(chosen))
        return sort_answers(follow_with_bar(answers, len(names), "Reading"))

    places = Places(str(folder))
    if folder is None:
        where = f"{options.service.rstrip('/') or LOCAL}/v1/games"
        places = Places(where, dispute_seconds=DISPUTE_SECONDS.value(), archived=archive)
    nothing = "There is no finished game there." if folder is None else f"There is no record in {folder}."
    try:
        return screen_games(options, source, read, places, nothing)
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        return INTERRUPTED
    except (NotMapped, QueueError, TargetUnavailable) as error:
        click.echo(error, err=True)
        return WRONG_USE
