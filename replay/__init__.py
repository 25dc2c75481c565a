"""Tools that read records of games and trust nobody: verify, show and step through what was played."""
