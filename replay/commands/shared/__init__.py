"""What the subcommands share: options, opening a record, notes, reports and lazy imports."""
