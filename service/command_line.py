"""`fieldbook`: everything from the command line."""

import sys
from collections.abc import Callable

import click

from replay.later_commands import LaterCommands
from service.later_commands import LATER

LOOPBACK = "127.0.0.1"


@click.group(cls=LaterCommands, later=LATER)
def main() -> None:
    """Bean-trading card games as an append-only log that anybody can check."""


@main.command()
@click.option("--host", envvar="HOST", default=LOOPBACK, show_default=True, help="Address to listen on.")
@click.option("--port", envvar="PORT", default=8000, show_default=True, help="Port to listen on.")
def up(host: str, port: int) -> None:
    """Start everything: web, worker, projector, bots and, unless REDIS_URL is set, the embedded store."""
    from service.up import AddressTaken, start_all

    try:
        sys.exit(start_all(host, port))
    except AddressTaken as error:
        click.echo(error, err=True)
        sys.exit(2)


@main.command()
@click.option(
    "--out", default=None, help="Where to save the record; by default in the data folder, under records."
)
@click.option("--seed", default=None, help="Seeds of the seats, to vary the game.")
@click.option("--system", default="classic", show_default=True, help="The rule system, such as the-duel.")
def demo(out: str | None, seed: str | None, system: str) -> None:
    """Play a game of bots against a fresh service over HTTP, and check its record."""
    from events.rules.errors import UnknownSystem
    from events.rules.systems import system_named
    from service.demo import DemoFailed, play_demo

    try:
        play_demo(system_named(system), out, seed)
    except UnknownSystem as error:
        click.echo(error, err=True)
        sys.exit(2)
    except DemoFailed as error:
        click.echo(f"The demo failed: {error}", err=True)
        sys.exit(1)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def configuration(*, as_json: bool) -> None:
    """Print every setting as it holds here, and where it comes from; passwords are left out."""
    from service.configuration_command import print_configuration

    sys.exit(print_configuration(as_json=as_json))


@main.command()
def serve() -> None:
    """Start the HTTP interface alone; the store must be running."""
    from service.web import main as serve_web

    serve_web()


@main.command()
def worker() -> None:
    """Start a worker, which validates finished games, and audits them when asked to; there may be several."""
    from service.worker import main as work

    work()


@main.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every finished game that the log tells of.")
@click.option("--here", is_flag=True, help="Audit in this process, without workers.")
@click.option("--again", is_flag=True, help="Audit also what has its receipts already.")
def audit(*, games: tuple[str, ...], every: bool, here: bool, again: bool) -> None:
    """Ask the rules again about stored games, those of their day and today's, and sign the answers.

    Workers do it. What is done is kept: stop this at any moment, and start it again to go on. Exit status: 0 when
    every game was played by the rules of its day, 1 when one was not or could not be audited, 2 for wrong use.
    """
    from service.audit_command import CannotAudit, audit_games

    if every == bool(games):
        raise click.UsageError("Name games, or all of them with --all.")
    try:
        sys.exit(audit_games(games, here=here, again=again))
    except CannotAudit as reason:
        click.echo(reason, err=True)
        sys.exit(2)


@main.group(invoke_without_command=True)
@click.option("--older-than", default=None, help="Only games that ended so long ago, such as 30d, 12h or 0s.")
@click.option("--dry-run", is_flag=True, help="Only list the games that are due.")
@click.pass_context
def archive(context: click.Context, *, older_than: str | None, dry_run: bool) -> None:
    """Move finished, validated games to the archive that FIELDBOOK_ARCHIVE names."""
    if context.invoked_subcommand is None:
        from service.archive_runs import archive_due

        _exit_with(lambda: archive_due(older_than, dry_run=dry_run))


@archive.command("restore")
@click.argument("game")
def restore_game(game: str) -> None:
    """Put an archived game back into the store, verified; its file stays in the archive."""
    from service.archive_runs import restore_one

    _exit_with(lambda: restore_one(game))


@archive.command("verify")
def verify_archive() -> None:
    """Read every archived game's file again and verify all of it."""
    from service.archive_runs import verify_all

    _exit_with(verify_all)


@main.group()
def projections() -> None:
    """The list of games, which is computed from the feeds and logs, and can be computed again.

    Exit status: 0 fine, 1 a finding, 2 wrong use or a store that cannot be used.
    """


@projections.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def projections_status(*, as_json: bool) -> None:
    """Show how far the list is in each partition, and which games are in quarantine."""
    from service.projection_runs import show_status

    _exit_with(lambda: show_status(as_json=as_json))


@projections.command("rebuild")
@click.option(
    "--force", is_flag=True, help="Switch even where games that are listed now cannot be read again."
)
@click.option("--anew", is_flag=True, help="Begin from nothing, whatever an earlier run has built.")
def projections_rebuild(*, force: bool, anew: bool) -> None:
    """Build the list anew beside the one that is read, and switch to it; play goes on meanwhile."""
    from service.projection_runs import rebuild_list

    _exit_with(lambda: rebuild_list(force=force, anew=anew))


@projections.command("compare")
def projections_compare() -> None:
    """Build the list once more, apart, and compare it with the one that is read, byte for byte."""
    from service.projection_runs import compare_list

    _exit_with(compare_list)


@projections.command("retry")
def projections_retry() -> None:
    """Read the games in quarantine again, and try again to validate those that no release could read."""
    from service.projection_runs import retry_games

    _exit_with(retry_games)


@main.command()
@click.argument("target")
@click.option("--options", default="", help="Options of the target's file system, as a JSON object.")
def backup(target: str, options: str) -> None:
    """Copy the whole installation to a folder or another target; play may go on meanwhile."""
    from service.backup_runs import back_up

    _exit_with(lambda: back_up(target, options))


@main.command()
@click.argument("source")
@click.option("--options", default="", help="Options of the source's file system, as a JSON object.")
def restore(source: str, options: str) -> None:
    """Put a backup into an empty store and an empty data folder, and verify what is there then."""
    from service.backup_runs import restore_all

    _exit_with(lambda: restore_all(source, options))


def _exit_with(run: "Callable[[], int]") -> None:
    """Run something that returns its exit status; what cannot begin is said, and is wrong use."""
    from events.store_errors import StoreError
    from service.signing_keys import SigningKeysUnusable
    from service.targets import BadTarget

    try:
        status = run()
    except (StoreError, BadTarget, SigningKeysUnusable, ValueError) as error:
        click.echo(error, err=True)
        status = 2
    sys.exit(status)


if __name__ == "__main__":
    main()
