"""A group of commands that are imported only when they are asked for, so that each of them starts at once."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click


class LaterCommands(click.Group):
    """A group that has some commands besides its own; help needs them all, everything else just one."""

    def __init__(self, *arguments: Any, later: Mapping[str, tuple[str, str]], **options: Any) -> None:
        """Have these commands: by name the module and what it is called there."""
        super().__init__(*arguments, **options)
        self._later: Final = later

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *self._later])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now where it comes later."""
        if cmd_name not in self._later:
            return super().get_command(ctx, cmd_name)
        module, name = self._later[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command
