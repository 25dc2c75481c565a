"""Logging of the processes: lines on standard error as text or as JSON, without hands, decks, secrets or tokens.

Whoever writes to a log writes sentences about games, versions and codes; a line's further fields are passed as
`extra={"fields": {...}}`, those that the sentence says already also as `said`. The formatters are the last line of
defence: what looks like a token, or like a password in an address, is blacked out wherever it comes from.
"""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from service.platform.batched_lines import BatchedLines
from service.platform.configuration import LOG_FORMAT
from service.platform.tracing import current_trace

_TOKEN: Final = re.compile(r"\b(fb[a-z]|whsec)_[0-9A-Za-z_/+=-]{4,}")
_PASSWORD: Final = re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]*(?=@)|(?<=[?&]password=)[^\s&]+")


def log_to_standard_error(*, batched: bool = False) -> None:
    """Set up logging for one process; one that logs a line for each request has them `batched`.

    Raises:
        BadSetting: FIELDBOOK_LOG names no form.
    """
    chosen = LOG_FORMAT.value()
    # Nothing of this is shown, and finding it out costs something with every line.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = BatchedLines(sys.stderr) if batched else logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if chosen == "json" else TextLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def without_secrets(text: str) -> str:
    """The text with tokens, and passwords in addresses, blacked out."""
    if "fb" in text or "whsec_" in text:
        text = _TOKEN.sub(r"\1_...", text)
    return _PASSWORD.sub("...", text) if "@" in text or "password=" in text else text


class TextLines(logging.Formatter):
    """Lines for people: level, logger, sentence, fields."""

    def __init__(self) -> None:
        """Use the form that the processes always had, with the fields behind it."""
        super().__init__("%(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the base class's name
        """The line, and its fields as name=value."""
        said = getattr(record, "said", ())
        shown = " ".join(f"{name}={value}" for name, value in _fields(record).items() if name not in said)
        line = super().formatMessage(record)
        return f"{line} {shown}" if shown else line

    def format(self, record: logging.LogRecord) -> str:
        """The whole entry, a traceback included."""
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """Lines for programs: one JSON object each, a traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            **{
                name: without_secrets(value) if isinstance(value, str) else value
                for name, value in _fields(record).items()
            },
        }
        if record.exc_info:
            line["traceback"] = without_secrets(self.formatException(record.exc_info))
        return msgspec.json.encode(line).decode()


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says besides its sentence: its own fields, and which request it belongs to."""
    fields: dict[str, Any] = dict(getattr(record, "fields", {}))
    trace = current_trace()
    if trace is not None:
        fields.setdefault("request_id", trace.request_id)
        if trace.trace_id is not None:
            fields.setdefault("trace_id", trace.trace_id)
    return fields
