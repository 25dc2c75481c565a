"""The evidence pack: what an arbiter reads before ruling, worked out from the record alone.

Whoever has the whole record and knows what was said in the case can build the same pack, byte for byte.

    said.py        the case as people made it: who disputes what, why, and with what evidence
    pack.py        what a pack holds, its bytes and its hash
    building.py    a pack from a timeline
    perspectives.py  the table before and after, as everybody could see it
    stretch.py     what happened around the disputed entry, and how long it took
    judging.py     what the verifier and the rules say up to there
    ways_back.py   where the game could go back to, and what has been seen since
    document.py    a text by its parts: headings, facts, grids
    telling.py     a pack as such a text
    text.py, markdown.py, html.py  the text for a terminal, as Markdown, as a page
"""

from replay.evidence.building import NotWhole, pack_of, rebuilt
from replay.evidence.html import html_of
from replay.evidence.markdown import markdown_of
from replay.evidence.pack import FORMAT, EvidencePack, pack_bytes, pack_hash, read_pack
from replay.evidence.said import Dispute, EarlierRuling, Evidence, dispute_of, earlier_rulings
from replay.evidence.text import text_of

__all__ = [
    "FORMAT",
    "Dispute",
    "EarlierRuling",
    "Evidence",
    "EvidencePack",
    "NotWhole",
    "dispute_of",
    "earlier_rulings",
    "html_of",
    "markdown_of",
    "pack_bytes",
    "pack_hash",
    "pack_of",
    "read_pack",
    "rebuilt",
    "text_of",
]
