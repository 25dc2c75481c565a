"""Playing in a branch of a record, step by step: what the options of `branch` and the lines of its reader do."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from events.log.disclosure import ALL, viewer_name
from events.log.redacted import event_in
from events.rules.evolving.evolve import fold
from events.rules.table.state import GameState
from replay.branches import Branch, BranchError, decode_token, find_origin, load_branch, new_branch, play_bots
from replay.branches.bot_play import UNTIL, Until
from replay.branches.branch import MOST_COMMANDS
from replay.branches.choices import parse_choice
from replay.branches.saved.recordings import recorded_game
from replay.branches.view import BranchView
from replay.commentary import Commentary
from replay.records.hidden import redact
from replay.timeline.timeline import Timeline

KEYS: Final = "NUMBER or JSON plays, u undo, g NUMBER go, b BOT turn|end|N bots, s shows all, q quits"
_HOW_FAR: Final = re.compile("[1-9][0-9]{0,3}")
_NUMBER: Final = re.compile("[0-9]{1,6}")


@dataclass(frozen=True)
class Steps:
    """What is to be done in a branch, in this order."""

    go: int | None = None
    undo: int | None = None
    plays: Sequence[str] = ()
    bots: str | None = None
    until: str = "end"


@dataclass(frozen=True)
class BranchSession:
    """A verified record, and who looks at its branches."""

    timeline: Timeline
    """Everything in the record."""
    viewer: int
    tell: Commentary

    def start(self, version: int | None, token: str | None, seed: str) -> Branch:
        """A new branch from a version, or the branch of a token.

        Raises:
            BranchError: there is no such branch of this record.
        """
        rules, log = recorded_game(self.timeline)
        if self.viewer >= rules.players:
            raise BranchError(f"--as {viewer_name(self.viewer)}: the table has no such seat.")
        if token is None:
            return new_branch(find_origin(rules, log, version or 1), seed)
        contents = decode_token(token)
        if contents.game != self.timeline.header.game:
            raise BranchError("This branch belongs to another game.")
        return load_branch(contents, find_origin(rules, log, contents.version))

    def apply(self, branch: Branch, steps: Steps) -> tuple[Branch, int, str]:
        """The branch after these steps, the version after which its events are new, and what there is to say.

        Raises:
            BranchError: one cannot be taken.
        """
        if steps.go is not None:
            branch = branch.go(steps.go)
        if steps.undo is not None:
            branch = branch.undo(steps.undo)
        after, note = branch.position.version, ""
        for each in steps.plays:
            branch = self.play(branch, each)
        if steps.bots is not None:
            branch, note = play_bots_until(branch, steps.bots, steps.until)
        return branch, after, note

    def play(self, branch: Branch, written: str) -> Branch:
        """The branch with one more command: a number of what can be played, or JSON.

        Raises:
            BranchError: it cannot be played.
        """
        return branch.play(*parse_choice(branch, self.viewer, written))

    def view(self, branch: Branch) -> BranchView:
        """The branch as the viewer sees it."""
        return BranchView(branch, self.viewer, self._table_at(branch.origin.version), self.tell)

    def _table_at(self, version: int) -> GameState:
        at = self.timeline.at
        if self.viewer == ALL:
            return at(version).state
        counting = self.timeline.effective_history(version).select_effective(range(1, version + 1))
        return fold(event_in(redact(at(each).form, self.viewer).entry) for each in counting)


def play_bots_until(branch: Branch, bots: str, until: str) -> tuple[Branch, str]:
    """The branch after bots have played on, and why they stopped.

    `bots` is one name for all seats, or one for each with `-` for a person's; `until` is turn, end or a number.

    Raises:
        BranchError: there are no such bots, or `until` is none of these.
    """
    names = [None if name == "-" else name for name in bots.split(",")]
    until_when: Until = "end"
    most = MOST_COMMANDS
    if until in UNTIL:
        until_when = "turn" if until == "turn" else "end"
    elif _HOW_FAR.fullmatch(until):
        most = int(until)
    else:
        raise BranchError(f"Bots play until turn or end, or a number of commands; not until {until[:20]!r}.")
    done = play_bots(branch, names, until_when, most)
    return done.branch, STOPPED[done.stopped].format(commands=done.commands)


STOPPED: Final = {
    "turn": "The bots have played {commands} commands, up to the next turn.",
    "end": "The bots have played {commands} commands; the game is over.",
    "commands": "The bots have played {commands} commands.",
    "people": "The bots have played {commands} commands; now a seat without a bot has to act.",
    "time": "The bots have played {commands} commands; there was no more time.",
    "full": "The bots have played {commands} commands; the branch has as many as it may have.",
}
"""Why bots stopped, said to people."""


def run_session(
    desk: BranchSession, branch: Branch, lines: Iterator[str], put: Callable[[Branch, int, str], None]
) -> Branch:
    """Go on with a branch, line by line, up to `q` or the last one; `put` shows the branch, and a note.

    `put` also gets the version after which its events are new, or -1 where the whole tree is asked for.
    """
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "q":
            break
        before, note, after = branch, "", branch.position.version
        try:
            if word == "u":
                branch = branch.undo(1)
            elif word == "g" and _NUMBER.fullmatch(rest):
                branch = branch.go(int(rest))
            elif word == "b":
                bots, _, until = rest.partition(" ")
                branch, note = play_bots_until(branch, bots, until or "turn")
            elif word == "s":
                after = -1
            elif word in {"", "?"}:
                note = KEYS
            else:
                branch = desk.play(branch, line)
        except BranchError as error:
            branch, note = before, str(error)
        put(branch, after, note)
    return branch
