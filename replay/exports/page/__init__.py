"""A game as one HTML page: record and viewer in a single file that opens from disk and names no outside address.

What the page shows is worked out here, by the same code that the other commands show it with; the script in the
page knows no rule. A page for one viewer holds only what that viewer could know.

    writer.py      the page itself: template, styles, script, data, and its content security policy
    content.py     all data of a page: who saw what at which version, and the words of the page
    layers.py      several perspectives of one game, each stored as what it knows beyond the others
    scene.py       a table as it is shown, by its parts, and those of each player
    cards.py       the cards that occur, each named once
    notes.py       annotations, for those who may read them
    comments.py    a comment's Markdown as a tree of a few harmless elements
    script/        what runs in the page, one idea a file; style/ how it looks
"""
