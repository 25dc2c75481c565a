"""Games written down for others: a report to read, tables of events for analysts, and a page to walk through."""

from replay.exports.formats import FORMATS, Format

__all__ = ["FORMATS", "Format"]
