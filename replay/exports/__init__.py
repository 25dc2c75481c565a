"""Games written down for others: a report to read, and tables of events for spreadsheets and analysts."""

from replay.exports.formats import FORMATS, Format

__all__ = ["FORMATS", "Format"]
