"""The source may stand first: `replay game.ndjson log` is `replay log game.ndjson`; alone it is played, or listed."""

import sys
from pathlib import Path

import click

from replay.commands.shared.lazy_commands import LazyGroup


class SourceFirst(LazyGroup):
    """A group whose commands may also follow the source that they read."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command before a source that stands first; without one, the source is played, or listed."""
        commands = self.list_commands(ctx)
        if args and args[0] not in commands and _is_source(args[0]):
            source, rest = args[0], args[1:]
            if not (rest and rest[0] in commands):
                rest = [_alone(source), *rest]
            args = [rest[0], source, *rest[1:]]
        return super().parse_args(ctx, args)


def _is_source(text: str) -> bool:
    return text == "-" or text.lower().startswith(("http://", "https://")) or Path(text).is_file()


def _alone(source: str) -> str:
    """The player where somebody can press keys, and else the log."""
    on_screen = all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
    return "play" if on_screen and source != "-" else "log"
