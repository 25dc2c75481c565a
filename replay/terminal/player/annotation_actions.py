"""The keys of the player that show and write annotations."""

from replay.platform.safe_text import safe
from replay.terminal.player.notes import NotWritten
from replay.terminal.player.stage import Stage
from replay.terminal.table_text import Line


class AnnotationActions(Stage):
    """Goes to annotated versions, shows their annotations, and adds to them."""

    def action_annotated(self, way: int) -> None:
        """To the next annotated version, or the one before."""
        versions = self.view.notes.versions[::way]
        found = next((each for each in versions if (each - self.view.version) * way > 0), None)
        if found is None or found > self.view.track.last:
            self.say("No annotation after this version." if way > 0 else "No annotation before this version.")
        else:
            self.go(self.view.move_to(found))

    def action_read(self) -> None:
        """The annotations here."""
        notes = self.view.notes.at(self.view.version)
        lines: list[Line] = []
        for note in notes:
            lines += [*([(row, "")] for row in note.text.splitlines()), []]
        if lines:
            self.read(f"Annotations of version {self.view.version}", lines)
        else:
            self.say("This version has no annotations.")

    def action_annotations(self) -> None:
        """All annotations, to go to one."""
        notes = [note for version in self.view.notes.versions for note in self.view.notes.at(version)]
        lines: list[Line] = [
            [(f"{note.version:>6}  ", "dim"), (" ".join(note.text.split()), "")] for note in notes
        ]
        if not lines:
            self.say("This game has no annotations.")
            return
        here = next((place for place, note in enumerate(notes) if note.version >= self.view.version), 0)
        self.choose(
            "All annotations", lines, lambda place: self.go(self.view.move_to(notes[place].version)), here
        )

    def action_write(self) -> None:
        """Ask for a comment on this version, and keep it."""
        self.ask(f"Comment on version {self.view.version}: ", self._write)

    def _write(self, text: str) -> None:
        if not text.strip():
            self.say("")
            return
        try:
            self.view.notes.write(self.view.version, text.strip())
        except NotWritten as error:
            self.say(safe(str(error)))
        else:
            self.say(f"Written at version {self.view.version}.")
