"""`python -m tests.benchmarks.many_games`: what dataset, report and screen take, over simulated games.

Games are of all systems. Memory is measured over an eighth, a quarter, half and all of them, on two processes; time
on one and on two. Each pass writes the same bytes on both, which is checked.

All of it takes hours with 10,000 games: what a pass took is kept beside the games, and a second call goes on there.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from tests.benchmarks.many_games.games import link_some, play_games, records_in
from tests.benchmarks.many_games.passes import PASSES, Taken, run_pass
from tests.benchmarks.many_games.picture import draw

PARTS = (8, 4, 2, 1)
KEPT = "taken.jsonl"
"""The file beside the games with what each pass took, a line for each."""


@click.command()
@click.option(
    "--games", type=click.IntRange(8), default=10_000, show_default=True, help="Games of all systems."
)
@click.option(
    "--records",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data/many-games"),
    show_default=True,
    help="Where the games are kept, with what passes took: what is there is not done again.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/dataset"),
    show_default=True,
    help="Where memory.svg and taken.json go.",
)
def many_games(*, games: int, records: Path, out: Path) -> None:
    """Measure the passes over so many games; status 1 where one and two processes do not write the same."""
    play_games(records, games)
    games = min(games, len(records_in(records)))
    click.echo(f"{games} games are there; load {os.getloadavg()[0]:.1f}")
    kept = _read(records / KEPT)
    measured: list[Taken] = []
    with _beside(records) as place:
        for part in PARTS:
            some = place / f"records-{part}"
            size = link_some(records, some, games // part)
            click.echo(f"{games // part} games, {size / 1e6:.0f} MB of records")
            for workers in (2, 1) if part == 1 else (2,):
                for what in PASSES:
                    taken = kept.get((what, games // part, workers))
                    if taken is None:
                        written = place / f"{what}-{part}-{workers}"
                        taken = run_pass(what, some, written, games // part, workers)
                        with (records / KEPT).open("ab") as file:
                            file.write(msgspec.json.encode(taken) + b"\n")
                    measured.append(taken)
                    click.echo(_row(taken))
    out.mkdir(parents=True, exist_ok=True)
    draw([each for each in measured if each.workers > 1], out / "memory.svg")
    table = msgspec.json.format(msgspec.json.encode(measured), indent=2)
    (out / "taken.json").write_bytes(table + b"\n")
    different = [what for what in PASSES if not _is_same(measured, what, games)]
    click.echo(f"NOT THE SAME: {', '.join(different)}" if different else "the same, byte by byte")
    sys.exit(bool(different))


@contextmanager
def _beside(records: Path) -> Iterator[Path]:
    """A folder for what is written, of the same name each time: a screen says where its records lie."""
    place = records.with_name(f"{records.name}-passes")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place)


def _read(path: Path) -> dict[tuple[str, int, int], Taken]:
    """What passes took before, by pass, games and processes."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    taken = [msgspec.json.decode(line, type=Taken) for line in lines]
    return {(each.what, each.games, each.workers): each for each in taken}


def _row(taken: Taken) -> str:
    return (
        f"| {taken.what} | {taken.games:,} | {taken.workers} | {taken.seconds:.0f} s | {taken.work:.0f} s | "
        f"{taken.megabytes:.0f} MB | {taken.load:.1f} |"
    )


def _is_same(measured: Sequence[Taken], what: str, games: int) -> bool:
    return len({each.digest for each in measured if (each.what, each.games) == (what, games)}) == 1


if __name__ == "__main__":
    many_games()
