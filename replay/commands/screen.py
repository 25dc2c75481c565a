"""`screen`: which players do more for each other than for others, over a folder of records."""

import sys
from pathlib import Path
from typing import Any

import click

from replay.across.screening.figures.reading import TO_CHOOSE, read_games
from replay.across.screening.telling.following_up import Places
from replay.across.source import RecordFolder
from replay.commands.shared.options import complete_files, example
from replay.commands.shared.screening import ScreenOptions, screen_games, screening_options


@click.command(
    epilog=example(
        "fieldbook replay screen games",
        "fieldbook replay screen games --service https://example.org --pseudonyms data/names.key --json",
    )
)
@click.argument(
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    shell_complete=complete_files,
)
@screening_options(each.value for each in TO_CHOOSE)
def screen(*, folder: Path, included: tuple[str, ...], **given: Any) -> None:
    """Look for players who do more for each other than for others, in a folder of records.

    What stands out is unusual, and proves nothing: look at the moments, and decide yourself. Status
    0: no pair stands out, 1: one does, or a record is in question, 2: wrong use, or nothing was compared.
    """
    options, source = ScreenOptions(**given), RecordFolder(folder)
    sys.exit(
        screen_games(
            options,
            source,
            lambda: read_games(source, included, options.workers),
            Places(str(folder)),
            f"There is no record in {folder}.",
        )
    )
