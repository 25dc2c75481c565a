"""A record that a stranger sent as the tables that a page shows: what `GET .../history` says of a game."""

import sys
from typing import Any, Final

import click
import msgspec

from events.log.disclosure import viewer_name
from replay.commands.shared.reading import load_timeline
from replay.exports.page.content import Drawing

LARGEST: Final = 32 * 1024 * 1024
"""Bytes of such a history."""
TOO_LARGE: Final = 75
"""The exit status where it would be larger."""


@click.command()
@click.argument("language")
def draw(language: str) -> None:
    """Write the history of the record on standard input, up to where it does not verify; null where it is none."""
    try:
        history = _history(language)
    except click.UsageError:
        history = None
    drawn = msgspec.json.encode(history)
    if len(drawn) > LARGEST:
        sys.exit(TOO_LARGE)
    sys.stdout.buffer.write(drawn)


def _history(language: str) -> dict[str, Any] | None:
    """None where not even the first entry holds: there is no table then."""
    drawing = Drawing(language, all_cards=True)
    timeline = load_timeline("-", None, drawing.begin)
    if not timeline.last:
        return None
    last = timeline.at(timeline.last)
    return drawing.content() | {
        "version": timeline.last,
        "hash": last.form.hash,
        "viewer": viewer_name(timeline.viewer),
        "system": last.state.system,
        "status": last.state.status,
    }
