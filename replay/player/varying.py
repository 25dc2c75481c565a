"""The part of the player that walks through variations, and plays new ones."""

from collections.abc import Callable
from dataclasses import replace

from replay.branches import Branch, BranchError, token_of
from replay.player.sight import Sight
from replay.player.stage import Stage
from replay.player.variations import Variation, Variations, bots_play, playable
from replay.safe_text import safe
from replay.table_text import Line
from replay.timeline import Timeline


class Varying(Stage):
    """Chooses variations, and plays on from where one stands."""

    def __init__(self, main: Timeline, sight: Sight, variations: Variations) -> None:
        """Begin here, with these variations to walk through."""
        super().__init__(main, sight)
        self._variations = variations

    def action_variations(self) -> None:
        """Choose a variation and walk through it."""
        here = [token for note in self.sight.notes.at(self.sight.version) for token in note.variations]
        try:
            ways = self._variations.ways(self.main, self.sight.tell, here)
        except BranchError as error:
            self.say(safe(str(error)))
            return
        if not ways:
            self.say("There is no variation yet; v plays one, --branch TOKEN brings one along.")
            return
        lines: list[Line] = [[(way.title, "")] for way in ways]
        self.choose("Which variation?", lines, lambda place: self._enter(ways[place], ways[place].parts + 1))

    def action_vary(self) -> None:
        """Choose what else could be played here, and walk on in that variation."""
        try:
            branch = self._branch_here()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        open_to = playable(branch, self.sight.course.viewer)
        if not open_to:
            self.say("Nothing can be played here.")
            return

        def play(place: int) -> None:
            seat, command, _ = open_to[place]
            self._grow(lambda: (branch.play(seat, command), ""), branch)

        title = f"What else, at version {branch.position.version}?"
        self.choose(title, [[(text, "")] for _, _, text in open_to], play)

    def action_bots(self) -> None:
        """Let bots play on here up to the next turn, in a variation."""
        try:
            branch = self._branch_here()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        self._grow(lambda: bots_play(branch), branch)

    def action_token(self) -> None:
        """The token of the variation, to write down."""
        course = self.sight.course
        if not isinstance(course, Variation):
            self.say("This is the game as it was played; a token stands for a variation.")
            return
        token, width = token_of(course.branch), max(self.size.width, 1)
        rows = [token[start : start + width] for start in range(0, len(token), width)]
        self.read("The token of this variation", [[(row, "")] for row in rows])

    def action_main_line(self) -> None:
        """Back to the game as it was played."""
        message = "This is the game as it was played."
        if self.sight.course is self.main:
            self.say(message)
        else:
            sight = replace(self.sight, course=self.main, variation="")
            self.go(sight.gone(sight.version, message))

    def _branch_here(self) -> Branch:
        course, version = self.sight.course, self.sight.version
        if isinstance(course, Variation) and version >= course.parts:
            return course.standing_at(version)
        return self._variations.new(self.main, version)

    def _grow(self, played: Callable[[], tuple[Branch, str]], before: Branch) -> None:
        try:
            branch, message = played()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        self._variations.keep(branch)
        self._enter(Variation(self.main, branch, self.sight.tell), before.position.version + 1)
        self.say(message or "v plays on, b chooses a variation, m leads back to the game.")

    def _enter(self, course: Variation, version: int) -> None:
        version = min(version, course.last)
        self.go(replace(self.sight, course=course, variation=course.title, version=version, message=""))
