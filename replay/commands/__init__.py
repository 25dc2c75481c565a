"""The subcommands of `python -m replay`, one file for each."""
