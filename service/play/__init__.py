"""A command becomes entries: loaded tables, deciding, appending, and setting games up."""
