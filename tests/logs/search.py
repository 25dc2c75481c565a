"""Finds games for the ways of ending that no recorded game shows yet: `python -m tests.logs.search`.

It plays random games from rising seeds at every table with a way missing, and names those that show one. What it
prints are lines for `SEARCHED` in `tests/logs/regenerate.py`, which then writes the records. With `--greedy` bots
play instead, for ways that only come up among those who mean them; these lines are for `GREEDY`.
"""

from pathlib import Path

import click

from events.log.codec import decode_event
from events.rules.systems.registry import BY_KEY
from tests.logs.endings import REQUIRED, REQUIRED_ONCE, ways_of_ending, ways_on_record
from tests.logs.regenerate import FEW_OFFERS, greedy_game, searched_options
from tests.support.recorded_games import recorded_game

LOGS = Path(__file__).parent


def whole_logs() -> list[Path]:
    """The recorded games that hide nothing."""
    scopes = (".public.", ".seat-")
    return sorted(path for path in LOGS.rglob("*.ndjson*") if not any(each in path.name for each in scopes))


def missing_ways() -> dict[tuple[str, int], frozenset[str]]:
    """By system and number of players: the required ways that no recorded game shows."""
    found = ways_on_record(whole_logs())
    missing: dict[tuple[str, int], frozenset[str]] = {}
    for system, ways in REQUIRED.items():
        tables = [(system, players) for players in BY_KEY[system].players]
        anywhere = frozenset[str]().union(*(found.get(table, frozenset()) for table in tables))
        once = REQUIRED_ONCE.get(system, frozenset()) - anywhere
        missing |= {table: (ways - found.get(table, frozenset())) | once for table in tables}
    return {table: ways for table, ways in missing.items() if ways}


@click.command()
@click.option("--first", default=4000, show_default=True, help="The seed to begin with.")
@click.option("--games", default=100, show_default=True, help="Games to play at each table at most.")
@click.option("--greedy", is_flag=True, help="Let greedy bots play.")
def main(*, first: int, games: int, greedy: bool) -> None:
    """Search for what is missing, and name the games that show it."""
    for (system, players), missing in missing_ways().items():
        left = missing
        for seed in range(first, first + games):
            if not left:
                break
            named = f"seed-{seed}"
            if greedy:
                game = greedy_game(system, players, named)
            else:
                options = searched_options(system, players, seed)
                game = recorded_game.__wrapped__(seed, players, options, FEW_OFFERS, system=system)
            shown = left & ways_of_ending([decode_event(entry) for entry in game.log])
            if shown:
                click.echo(f"{(system, players, named if greedy else seed)},  # {', '.join(sorted(shown))}")
            left -= shown
        if left:
            click.echo(f"not found for {players} players of {system}: {', '.join(sorted(left))}", err=True)


if __name__ == "__main__":
    main()
