"""The subcommands of `fieldbook`, one module each, imported only when it is called."""
