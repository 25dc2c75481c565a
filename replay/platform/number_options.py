"""Numbers as options and arguments of commands."""

from typing import Any

import click

from replay.platform.whole_numbers import is_whole


class WholeRange(click.IntRange):
    """A whole number on the command line, within a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fail where it is not one, or out of range."""
        if isinstance(value, str) and not is_whole(value):
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        return super().convert(value, param, ctx)
