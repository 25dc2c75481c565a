"""A group of commands that are imported only when they are asked for, so that each of them starts at once."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

import click


class Later(NamedTuple):
    """Where a command is, and what it is about: the first sentence of its own help, by which the group lists it.

    Without that sentence the command is imported to be listed.
    """

    module: str
    name: str
    about: str = ""


class LaterCommands(click.Group):
    """A group that has some commands besides its own."""

    def __init__(self, *arguments: Any, later: Mapping[str, Later], **options: Any) -> None:
        """Have these commands, by name."""
        super().__init__(*arguments, **options)
        self._later: Final = later

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *self._later])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now where it comes later."""
        if cmd_name not in self._later:
            return super().get_command(ctx, cmd_name)
        later = self._later[cmd_name]
        command: click.Command = getattr(import_module(later.module), later.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with what each of them is about, as click does, without importing what need not be."""
        found = {name: self._listed(ctx, name) for name in self.list_commands(ctx)}
        room = formatter.width - 6 - max(map(len, found))
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(room)) for name, command in found.items()])

    def _listed(self, ctx: click.Context, name: str) -> click.Command:
        """The command, or one that only says what it is about."""
        about = self._later[name].about if name in self._later else ""
        command = click.Command(name, help=about) if about else self.get_command(ctx, name)
        return command or click.Command(name)
