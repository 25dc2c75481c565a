"""The games as environments for research: what may be done has numbers or texts, and every game is a record.

`training_game.py` is a game that waits for one seat after the other; `aec.py` shows it as PettingZoo's AEC
environment, `text.py` as lines of text. Needs no server; PettingZoo comes with `fieldbook[research]` and is imported
by `aec.py` alone.
"""
