"""What every process stands on: clock, settings, logging, tracing, metrics, and places for files."""
