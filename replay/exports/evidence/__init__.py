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

from replay.exports.evidence.builder import NotWhole, build_pack, rebuild_pack
from replay.exports.evidence.case import Dispute, EarlierRuling, Evidence, collect_dispute, earlier_rulings
from replay.exports.evidence.html import render_html
from replay.exports.evidence.markdown import render_markdown
from replay.exports.evidence.pack import FORMAT, EvidencePack, pack_bytes, pack_hash, read_pack
from replay.exports.evidence.text import render_text

__all__ = [
    "FORMAT",
    "Dispute",
    "EarlierRuling",
    "Evidence",
    "EvidencePack",
    "NotWhole",
    "build_pack",
    "collect_dispute",
    "earlier_rulings",
    "pack_bytes",
    "pack_hash",
    "read_pack",
    "rebuild_pack",
    "render_html",
    "render_markdown",
    "render_text",
]
