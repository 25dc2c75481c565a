"""Commands of `fieldbook` that are imported only when they are asked for, so that the others start at once."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

import click

LATER: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "keys": ("service.key_commands", "keys"),
        "operator-acts": ("service.key_commands", "operator_acts"),
        "signing-key": ("service.signing_key_commands", "signing_key"),
        "webhooks": ("service.webhook_commands", "webhooks"),
        "simulate": ("service.simulate_command", "simulate"),
    }
)
"""Where each of them is: module and name."""


class WithLaterCommands(click.Group):
    """A group that has these commands besides its own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now where it comes later."""
        if cmd_name not in LATER:
            return super().get_command(ctx, cmd_name)
        module, name = LATER[cmd_name]
        command: click.Command = getattr(import_module(module), name)
        return command
