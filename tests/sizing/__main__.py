"""What so many games a day take: `python -m tests.sizing 25000`; without a number docs/growing.md is written anew."""

import click

from tests.sizing.needs import USUAL, Assumptions, needs
from tests.sizing.page import PAGE, page, table


@click.command()
@click.argument("games", nargs=-1, type=click.IntRange(1))
@click.option("--minutes", type=float, default=USUAL.minutes, show_default=True, help="Of a game.")
@click.option("--seats", type=int, default=USUAL.seats, show_default=True, help="People in a game.")
@click.option("--busiest-hour", type=float, default=USUAL.busiest_hour, help="Its share of a day's games.")
@click.option("--days", type=float, default=USUAL.archived_after, help="Until a game is archived.")
@click.option("--server", type=float, default=USUAL.server, help="Gigabytes that a server may fill.")
def main(
    *, games: tuple[int, ...], minutes: float, seats: int, busiest_hour: float, days: float, server: float
) -> None:
    """Say what so many games a day take, or write the page anew."""
    if not games:
        PAGE.write_text(page(), encoding="utf-8")
        return
    given = Assumptions(
        minutes=minutes, seats=seats, busiest_hour=busiest_hour, archived_after=days, server=server
    )
    click.echo(table([needs(each, given) for each in games], given))


if __name__ == "__main__":
    main()
