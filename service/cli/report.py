"""`fieldbook report`: what finished games say to who runs or organises them, as a page and as data."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec

from replay.across.left import AGAINST_RECORD, USUALLY_LEFT, Left, Reason
from replay.across.overview.game_figures import count_game
from replay.across.overview.overview import Overview
from replay.across.overview.page import render_page
from replay.commands.shared.written import force_option, require_output, write_output
from replay.platform.counting import count_in_words
from replay.platform.exit_status import FINDING, INTERRUPTED, status_of
from replay.platform.output_file import FIGURES, PAGE
from service.across.passes import REPORT
from service.across.queued_map import NotMapped
from service.across.store_figures import count_store
from service.cli.exit_status import exit_with_status
from service.cli.many_games import Readers, follow_with_bar, many_games_options, name_left, open_source
from service.platform.targets import TargetUnavailable
from service.startup.store_opening import open_store
from service.storage.queues import QueueError
from service.storage.settings import StoreSettings


@click.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@many_games_options
@click.option(
    "--data",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the figures as JSON, too, with the games that were left out.",
)
@force_option
@exit_with_status
def report(
    *,
    out: Path,
    records: Path | None,
    archive: bool,
    leave_out: tuple[str, ...],
    take: tuple[str, ...],
    workers: int | None,
    by_workers: bool,
    data: Path | None,
    force: bool,
) -> int:
    """Write an overview of finished games as an HTML page, and as data.

    Games by system and how they ended, their length, whether it is better to begin, bots against others, for whom the
    table waits, trades, disputes. No player is named; private games are counted in unless they are left out. Every
    game is verified first, and what is left out is named with the reason. Exit status: 0 when all went well, 1 when
    a record cannot be read, does not verify or contradicts another one, 2 for wrong use.
    """
    inputs = [] if records is None else [records]
    require_output(out, PAGE, inputs, force=force)
    if data is not None:
        require_output(data, FIGURES, inputs, force=force)
        if out.resolve() == data.resolve():
            raise click.UsageError("The page and the data (--data) need a file each.")
    source = open_source(records, archive=archive)
    readers = Readers(source, workers, by_workers)
    usual = USUALLY_LEFT - {Reason.PRIVATE}
    chosen = usual.union(map(Reason, leave_out)).difference(map(Reason, take))
    overview, left = Overview(), list[Left]()
    try:
        names = list(source.names())
        answers = readers.map(REPORT, count_game, chosen, names)
        for each in follow_with_bar(answers, len(names), "Reading"):
            if isinstance(each, Left):
                overview.leave(each)
                left.append(each)
            else:
                overview.add(each.answer)
        document = overview.document(None if records or archive else _count_store(names))
        with write_output(out, PAGE, inputs, force=force) as file:
            file.write(render_page(document).encode())
        if data is not None:
            with write_output(data, FIGURES, inputs, force=force) as file:
                file.write(msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n")
    except KeyboardInterrupt:
        click.echo("Stopped. Nothing was written.", err=True)
        return INTERRUPTED
    except (NotMapped, OSError, QueueError, TargetUnavailable) as error:
        click.echo(error, err=True)
        return status_of(error)
    counted = name_left(left, "the data (--data)")
    click.echo(f"{count_in_words(document['games'], 'game')}; left out: {counted}")
    return FINDING if any(each.reason in AGAINST_RECORD for each in left) else 0


def _count_store(games: Sequence[str]) -> dict[str, Any]:
    """What the store says besides the records of these games.

    Raises:
        StoreUnavailable
    """
    settings = StoreSettings.from_environment()
    with closing(open_store(settings, wait_seconds=2, quietly=True)) as store:
        return count_store(store, games)
