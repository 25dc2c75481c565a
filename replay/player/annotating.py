"""The part of the player that shows and writes annotations."""

from replay.player.notes import Note, NotWritten
from replay.player.stage import Stage
from replay.safe_text import safe
from replay.table_text import Line


class Annotating(Stage):
    """Goes to what somebody has written about, reads it, and writes."""

    def action_annotated(self, way: int) -> None:
        """To the next version that somebody has written about, or the one before."""
        versions = self.sight.notes.versions[::way]
        found = next((each for each in versions if (each - self.sight.version) * way > 0), None)
        if found is None or found > self.sight.course.last:
            self.say("No annotation after this version." if way > 0 else "No annotation before this version.")
        else:
            self.go(self.sight.gone(found))

    def action_read(self) -> None:
        """The annotations here."""
        notes = self.sight.notes.at(self.sight.version)
        lines = [line for note in notes for line in (*_as_lines(note), [])]
        if lines:
            self.read(f"Annotations of version {self.sight.version}", lines)
        else:
            self.say("Nobody has written about this version.")

    def action_annotations(self) -> None:
        """All annotations, to go to one."""
        notes = [note for version in self.sight.notes.versions for note in self.sight.notes.at(version)]
        lines: list[Line] = [
            [(f"{note.version:>6}  ", "dim"), (" ".join(note.text.split()), "")] for note in notes
        ]
        if not lines:
            self.say("Nobody has written about this game.")
            return
        here = next((place for place, note in enumerate(notes) if note.version >= self.sight.version), 0)
        self.choose(
            "All annotations", lines, lambda place: self.go(self.sight.gone(notes[place].version)), here
        )

    def action_write(self) -> None:
        """Ask for a comment on this version, and keep it."""
        self.ask(f"Comment on version {self.sight.version}: ", self._written)

    def _written(self, text: str) -> None:
        if not text.strip():
            self.say("")
            return
        try:
            self.sight.notes.write(self.sight.version, text.strip())
        except NotWritten as error:
            self.say(safe(str(error)))
        else:
            self.say(f"Written at version {self.sight.version}.")


def _as_lines(note: Note) -> list[Line]:
    return [[(row, "")] for row in note.text.splitlines()]
