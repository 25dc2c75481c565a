"""What people say about a game: notes at its moments, in logs of their own beside the game's chain.

An annotator writes into a set of their own. A set is a chain: every entry is bound to a version of the game and to
the chain hash there, and linked to the entry before it. Nothing in a set is ever changed; edits, withdrawals and
publications are entries too, and what stands follows from them. All of this is pure: no store, no clock, no chance.

    glyphs.py       the vocabulary: of a move, of a position, observations
    marks.py        what can be marked on the table
    content.py      what a note, reply, edit, withdrawal or publication says
    entries.py      one entry, and its hash
    sets.py         one annotator's set: what may follow, what stands
    book.py         all sets of a game
    permissions.py  who may write and see them, and when
    files.py        sets as a file, read and written; docs/annotation-format.md
    moments.py      whether entries are bound to this game
    in_records.py   what a record carries of them, verified
    on_screen.py    as text for a terminal
"""
