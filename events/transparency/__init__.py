"""Signed heads and the transparency log, in the formats of C2SP: what an operator cannot take back.

`signed_note` is text with signatures, `game_head` what is signed about a game, `audit_receipt` what is signed about
its audit, `merkle_tree` the log's tree with its proofs, `checkpoint` the signed head of the log, `cosignature` what a
witness signs about that and when, and `log_proof` the proof that a game's head is in it.
Nothing here knows a store, a clock or a file.
"""
