"""The terminal player: a record on the whole screen, stepped through with single keys.

What is on the screen is a pure function of where the reader is (`view_state.py`) and of the size of the window:

    panes/screen_lines.py  the whole screen, narrow or wide
    panes/table_pane.py    piles, players, offers
    panes/log_pane.py      the sentences around the version
    panes/bar.py           how far the game is
    keys.py                every key, for the bindings, the help and docs/replay.md
    tempo.py               when the next event comes during autoplay
    track.py               the game or a variation, with places and searches on it
    notes.py               the annotations of the game
    variations.py          branches as tracks of their own

Textual only puts these lines on the terminal and hands over the keys: `stage.py`, `annotation_actions.py` and
`variation_actions.py`, which `application.py` puts together; `panes/board.py`, `panes/dialogs.py`.
No text of a record is ever markup to it, and nothing here takes longer in a longer game.
"""
