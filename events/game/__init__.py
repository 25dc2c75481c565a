"""One game put together: its table folded from the log, its fair dealing, and its self-contained record."""
