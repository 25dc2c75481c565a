"""The formats in which games are written down for others."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import BinaryIO

from replay.exports.event_table import write_csv, write_parquet
from replay.exports.markdown import write_markdown
from replay.exports.page.writer import Page, write_page
from replay.platform.output_file import CSV, MARKDOWN, PAGE, PARQUET, Kind
from replay.timeline.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Format:
    """A format of exports.

    Attributes:
        write: writes a timeline, as its viewer may see it, with sentences in a language. It may raise NotInstalled.
        kind: the kind of file that is written.
        is_text: whether a terminal can show what is written.
        shows_annotations: whether what was said about the game is in it.
        draw: begins what is drawn in a language while a timeline is read, and written then as `write` would; None
            where there is no such way.
    """

    write: Callable[[Timeline, str, BinaryIO], None]
    kind: Kind
    is_text: bool
    shows_annotations: bool = False
    draw: Callable[[str], Page] | None = None


FORMATS: MappingProxyType[str, Format] = MappingProxyType(
    {
        "markdown": Format(write_markdown, MARKDOWN, is_text=True),
        "csv": Format(write_csv, CSV, is_text=True),
        "parquet": Format(write_parquet, PARQUET, is_text=False),
        "html": Format(write_page, PAGE, is_text=False, shows_annotations=True, draw=Page),
    }
)
"""The formats by name."""
