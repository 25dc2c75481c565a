"""Annotations of a game: notes at its versions, in logs of their own beside the game's chain.

An annotator writes into a set of their own. A set is a chain: every entry is bound to a version of the game and to
the chain hash there, and linked to the entry before it. Nothing in a set is ever changed; edits, withdrawals and
publications are entries too, and the current notes follow from them. Only `on_disk.py` reads a clock or files.

    glyphs.py       the vocabulary: of a move, of a position, observations
    marks.py        what can be marked on the table
    content.py      what a note, reply, edit, withdrawal or publication says
    entries.py      one entry, and its hash
    sets.py         one annotator's set: what may follow, what stands
    book.py         all sets of a game
    permissions.py  who may write and see them, and when
    files.py        sets as a file, read and written; docs/annotation-format.md
    moments.py      whether entries are bound to this game
    record_checks.py  what a record carries of them, verified
    on_screen.py    as text for a terminal
"""
