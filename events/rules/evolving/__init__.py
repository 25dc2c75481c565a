"""What each event means: one file per group of events."""
