"""The keys of the player that show variations and play new ones."""

from collections.abc import Callable
from dataclasses import replace

from replay.branches import Branch, BranchError, encode_token
from replay.branches.session import play_bots_until
from replay.platform.safe_text import safe
from replay.terminal.player.stage import Stage
from replay.terminal.player.variations import Variation, Variations, list_playable
from replay.terminal.player.view_state import ViewState
from replay.terminal.table_text import Line
from replay.timeline.timeline import Timeline


class VariationActions(Stage):
    """Chooses variations, and plays on from the current version."""

    def __init__(self, main: Timeline, view: ViewState, variations: Variations) -> None:
        """Start here, with these variations."""
        super().__init__(main, view)
        self._variations = variations

    def action_variations(self) -> None:
        """Choose a variation and walk through it."""
        here = [token for note in self.view.notes.at(self.view.version) for token in note.variations]
        try:
            found = self._variations.find(self.main, self.view.tell, here)
        except BranchError as error:
            self.say(safe(str(error)))
            return
        if not found:
            self.say("There is no variation yet: v plays one, --branch TOKEN loads one.")
            return
        lines: list[Line] = [[(each.title, "")] for each in found]
        self.choose(
            "Which variation?", lines, lambda place: self._enter(found[place], found[place].branched_at + 1)
        )

    def action_vary(self) -> None:
        """Choose what else could be played here, and walk on in that variation."""
        branch = self._branch_here()
        if branch is None:
            return
        choices = list_playable(branch, self.view.track.viewer)
        if not choices:
            self.say("Nothing can be played here.")
            return

        def play(place: int) -> None:
            seat, command, _ = choices[place]
            self._extend(lambda: (branch.play(seat, command), ""), branch)

        title = f"What else could be played at version {branch.position.version}?"
        self.choose(title, [[(text, "")] for _, _, text in choices], play)

    def action_bots(self) -> None:
        """Let bots play on here up to the next turn, in a variation."""
        branch = self._branch_here()
        if branch is not None:
            self._extend(lambda: play_bots_until(branch, "greedy", "turn"), branch)

    def action_token(self) -> None:
        """The token of the variation, to write down."""
        track = self.view.track
        if not isinstance(track, Variation):
            self.say("This is the game as it was played; only variations have tokens.")
            return
        token, width = encode_token(track.branch), max(self.size.width, 1)
        rows = [token[start : start + width] for start in range(0, len(token), width)]
        self.read("The token of this variation", [[(row, "")] for row in rows])

    def action_main_line(self) -> None:
        """Back to the game as it was played."""
        message = "This is the game as it was played."
        if self.view.track is self.main:
            self.say(message)
        else:
            view = replace(self.view, track=self.main, variation="")
            self.go(view.move_to(view.version, message))

    def _branch_here(self) -> Branch | None:
        """The branch at this version; where there can be none, that is said."""
        track, version = self.view.track, self.view.version
        try:
            if isinstance(track, Variation) and version >= track.branched_at:
                return track.branch_at(version)
            return self._variations.new(self.main, version)
        except BranchError as error:
            self.say(safe(str(error)))
            return None

    def _extend(self, play: Callable[[], tuple[Branch, str]], before: Branch) -> None:
        try:
            branch, message = play()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        self._variations.keep(branch)
        self._enter(Variation(self.main, branch, self.view.tell), before.position.version + 1)
        self.say(message or "v plays on, b chooses a variation, m returns to the game.")

    def _enter(self, track: Variation, version: int) -> None:
        version = min(version, track.last)
        self.go(replace(self.view, track=track, variation=track.title, version=version, message=""))
