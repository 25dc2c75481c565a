"""The evidence pack: what an arbiter reads before ruling, computed from the record alone.

Whoever has the whole record and the statements of the case can build the same pack, byte for byte.

    case.py               the case as people made it: who disputes what, why, and with what evidence
    pack.py               what a pack holds, its bytes and its hash
    builder.py            a pack from a timeline, with what the verifier and the rules say up to the disputed entry
    perspectives.py       the table before and after, as everybody could see it
    surroundings.py       what happened around the disputed entry, and how long it took
    rewind_targets.py     where the game could go back to, and what has been seen since
    document.py           a text by its parts: headings, facts, grids
    document_builder.py   a pack as such a text; document_tables.py has its tables
    text.py, markdown.py, html.py  the same for a terminal, as Markdown, as a page
"""
