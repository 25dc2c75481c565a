"""A group of commands that are imported only when they are called, so that each of them starts at once."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import click

from replay.platform.command_line import CommandLine


class LazyCommand(NamedTuple):
    """Where a command is, and the first sentence of its help, by which the group lists it.

    Without a summary the command is imported to be listed.
    """

    module: str
    name: str
    summary: str = ""


class LazyGroup(CommandLine, click.Group):
    """A group that imports some of its commands only when they are needed."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, LazyCommand], **options: Any) -> None:
        """Have these commands too, by name."""
        super().__init__(*arguments, **options)
        self._lazy: Final = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *self._lazy])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; a lazy one is imported now."""
        if cmd_name not in self._lazy:
            return super().get_command(ctx, cmd_name)
        lazy = self._lazy[cmd_name]
        command: click.Command = getattr(import_module(lazy.module), lazy.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their summaries, as click does, without importing those that have one."""
        found = {name: self._summarize(ctx, name) for name in self.list_commands(ctx)}
        room = formatter.width - 6 - max(map(len, found))
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(room)) for name, command in found.items()])

    def _summarize(self, ctx: click.Context, name: str) -> click.Command:
        """The command, or a stand-in with its summary."""
        summary = self._lazy[name].summary if name in self._lazy else ""
        command = click.Command(name, help=summary) if summary else self.get_command(ctx, name)
        return command or click.Command(name)
