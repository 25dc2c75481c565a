"""The terminal player: a record on the whole screen, walked through with single keys.

What stands on the screen is a pure function of where the reader is (`sight.py`) and of the size of the window:

    screen_lines.py  the whole screen, narrow or wide
    table_pane.py    piles, players, offers
    log_pane.py      the sentences around the version
    bar.py           how far the game is
    keys.py          every key, for the bindings, the help and docs/replay.md
    tempo.py         when the next event comes while it plays by itself
    search.py        texts and predicates
    places.py        what one can say to go somewhere
    notes.py         annotations, as the player needs them
    variations.py    branches as timelines of their own

Textual only puts these lines on the terminal and hands over the keys (`stage.py` and what stands on it up to
`application.py`; `board.py`, `dialogs.py`).
No text of a record is ever markup to it, and nothing here takes longer in a longer game.
"""
