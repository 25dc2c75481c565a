"""Branches: alternative play from a version of a recorded game.

A branch is a small tree of commands (`branch.py`) that parts from an origin (`origin.py`). Its cards come from the
recorded deck as far as that is known, else from fresh chance that says so (`chance.py`). It fits into a token of one
line (`tokens.py`), and bots can play on in it (`bot_play.py`). Everything here is pure.
"""

from replay.branches.bot_play import BotsPlayed, play_bots
from replay.branches.branch import Branch, Node, build_branch, new_branch
from replay.branches.errors import BranchError, MoveRefused
from replay.branches.origin import Origin, Recorded, find_origin
from replay.branches.playing import BranchEvent, Position
from replay.branches.saved.tokens import decode_token, encode_token, load_branch

__all__ = [
    "BotsPlayed",
    "Branch",
    "BranchError",
    "BranchEvent",
    "MoveRefused",
    "Node",
    "Origin",
    "Position",
    "Recorded",
    "build_branch",
    "decode_token",
    "encode_token",
    "find_origin",
    "load_branch",
    "new_branch",
    "play_bots",
]
