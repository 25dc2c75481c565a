"""Games written down for others: a report to read, tables of events for analysts, and a page to walk through."""
