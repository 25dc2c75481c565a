"""Screens for collusion: what many games say about two players who meet in them. Offline; a person decides."""
