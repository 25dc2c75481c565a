"""The sweep: thousands of games of every rule system, with every law checked: `make laws`.

Or a part of it:

    python -m tests.laws --random 100 --greedy 20 --system classic --players 3

Game n of a table has the seed `--seed` + n, so each finding names the one command that repeats it. Exit status 1
when something was found.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from events.rules.systems.registry import BY_KEY
from tests.laws.sweep import check
from tests.laws.swept import PLAYS, SHARES, Game, Outcome
from tests.support.second_verifier import NODE_PROGRAM, SecondVerifier

WIDTH = 120
"""Characters in a line where there is no terminal."""
TOGETHER = 5
"""Games that one process checks at a time."""


@click.command()
@click.option("--random", default=1000, show_default=True, help="Games in which any legal command can come.")
@click.option("--greedy", default=200, show_default=True, help="Games between greedy bots.")
@click.option("--made-up", default=50, show_default=True, help="Games with made-up decks, played at random.")
@click.option("--leavers", default=50, show_default=True, help="Games in which people leave and come back.")
@click.option(
    "--clocked",
    default=50,
    show_default=True,
    help="Games by the clock; the second verifier reads them, too.",
)
@click.option("--system", type=click.Choice([*BY_KEY]), help="Only this rule system.")
@click.option("--players", type=int, help="Only this number of players.")
@click.option("--seed", default=0, show_default=True, help="The seed of the first game of each kind.")
@click.option("--processes", default=2, show_default=True, help="Games checked at the same time.")
def main(
    *,
    random: int,
    greedy: int,
    made_up: int,
    leavers: int,
    clocked: int,
    system: str | None,
    players: int | None,
    seed: int,
    processes: int,
) -> None:
    """Play so many games of each rule system and number of players, and check every law."""
    tables = [
        (key, number)
        for key, each in BY_KEY.items()
        for number in each.players
        if system in {None, key} and players in {None, number}
    ]
    if not __debug__:
        raise click.UsageError("The laws are assertions; Python must not run with -O.")
    if not tables:
        raise click.UsageError(f"{system} is not played by {players}.")
    if clocked and NODE_PROGRAM is None:
        raise click.UsageError(
            "Games by the clock need node on the path (Debian's package nodejs), or --clocked 0."
        )
    counts = dict(zip(PLAYS, (random, greedy, made_up, leavers, clocked), strict=True))
    games = [
        Game(*table, play, seed + number)
        for table in tables
        for play, count in counts.items()
        for number in range(count)
    ]
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    outcomes = _checked(games, processes, console)
    console.print(_results(outcomes))
    for play, count in counts.items():
        if count:
            share = f"{SHARES[play] / 10:g} % of the states were examined for exactness"
            console.print(f"{play}: seeds {seed} to {seed + count - 1}; {share}", style="dim")
    sys.exit(1 if any(outcome.finding for outcome in outcomes) else 0)


def _checked(games: list[Game], processes: int, console: Console) -> list[Outcome]:
    columns = (
        *Progress.get_default_columns()[:1],
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    outcomes: list[Outcome] = []
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(processes) as pool:
        task = progress.add_task("games", total=len(games))
        for done in as_completed([pool.submit(_check_all, some) for some in _parts(games)]):
            outcomes += done.result()
            for found in done.result():
                if found.finding:
                    _tell(found, progress.console)
            progress.update(task, completed=len(outcomes))
    return outcomes


def _tell(found: Outcome, console: Console) -> None:
    """What was found, and the command that repeats it."""
    console.print(f"[bold red]{found.game}[/], version {found.events}:", found.finding, highlight=False)
    console.print(f"  {found.game.repeated_by}", soft_wrap=True, highlight=False)


def _parts(games: list[Game]) -> Iterator[list[Game]]:
    return (games[start : start + TOGETHER] for start in range(0, len(games), TOGETHER))


def _check_all(games: list[Game]) -> list[Outcome]:
    second = _second_verifier() if any(game.play == "clocked" for game in games) else None
    return [check(game, second) for game in games]


@cache
def _second_verifier() -> SecondVerifier:
    """That of this process; it ends with it, when nobody can ask it any more."""
    return SecondVerifier()


def _results(outcomes: list[Outcome]) -> Table:
    """A line for each table and way to play."""
    table = Table("system", "players", "play")
    for heading in ("games", "commands", "events", "states", "examined", "longest", "findings"):
        table.add_column(heading, justify="right")
    kinds: dict[tuple[str, int, str], list[Outcome]] = {}
    for outcome in outcomes:
        game = outcome.game
        kinds.setdefault((game.system, game.players, game.play), []).append(outcome)
    order = list(BY_KEY)
    for kind in sorted(kinds, key=lambda each: (order.index(each[0]), each[1], PLAYS.index(each[2]))):
        table.add_row(kind[0], str(kind[1]), kind[2], *_numbers(kinds[kind]))
    table.add_section()
    table.add_row("all", "", "", *_numbers(outcomes))
    return table


def _numbers(outcomes: list[Outcome]) -> list[str]:
    sums = [
        len(outcomes),
        sum(outcome.commands for outcome in outcomes),
        sum(outcome.events for outcome in outcomes),
        sum(outcome.states for outcome in outcomes),
        sum(outcome.examined for outcome in outcomes),
        max((outcome.commands for outcome in outcomes), default=0),
        sum(bool(outcome.finding) for outcome in outcomes),
    ]
    return [f"{number:,}" for number in sums]


if __name__ == "__main__":
    main()
