"""Branches: what would have happened otherwise, played on from a version of a recorded game.

A branch is a small tree of commands (`branch.py`) that parts from an origin (`origin.py`). Its cards come from the
recorded deck as far as that is known, else from fresh chance that says so (`chance.py`). It fits into a token of one
line (`tokens.py`), and bots can play on in it (`bots_playing.py`). Everything here is pure.
"""

from replay.branches.bots_playing import BotsPlayed, play_bots
from replay.branches.branch import Branch, Node, branch_of, new_branch
from replay.branches.errors import BranchError, Refused
from replay.branches.origin import Origin, Recorded, origin_at
from replay.branches.playing import BranchEvent, Position
from replay.branches.tokens import branch_in, contents_of, token_of

__all__ = [
    "BotsPlayed",
    "Branch",
    "BranchError",
    "BranchEvent",
    "Node",
    "Origin",
    "Position",
    "Recorded",
    "Refused",
    "branch_in",
    "branch_of",
    "contents_of",
    "new_branch",
    "origin_at",
    "play_bots",
    "token_of",
]
