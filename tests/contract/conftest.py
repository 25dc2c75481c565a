"""What pytest is not to collect here."""

collect_ignore = ["hooks.py"]
"""schemathesis loads it, with the settings that it needs."""
