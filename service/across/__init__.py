"""The service's finished games as sources for what reads many of them: those of the store, and an archive's files."""
