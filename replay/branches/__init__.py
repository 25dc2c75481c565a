"""Branches: alternative play from a version of a recorded game.

A branch is a small tree of commands (`branch.py`) that parts from an origin (`origin.py`). Its cards come from the
recorded deck as far as that is known, else from fresh chance that says so (`chance.py`). It fits into a token of one
line (`tokens.py`), and bots can play on in it (`bot_play.py`). Everything here is pure.
"""

from replay.branches.bot_play import BotsPlayed as BotsPlayed
from replay.branches.bot_play import play_bots as play_bots
from replay.branches.branch import Branch as Branch
from replay.branches.branch import new_branch as new_branch
from replay.branches.errors import BranchError as BranchError
from replay.branches.errors import MoveRefused as MoveRefused
from replay.branches.origin import Recorded as Recorded
from replay.branches.origin import find_origin as find_origin
from replay.branches.saved.tokens import decode_token as decode_token
from replay.branches.saved.tokens import encode_token as encode_token
from replay.branches.saved.tokens import load_branch as load_branch
