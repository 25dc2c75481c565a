"""Writing sets for tests: entries about a recorded game, and random logs of everything that can be written."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationBroken, AnnotationEntry, Author, Moment, new_entry
from replay.annotations.sets import AnnotationSet

GAME = "game-115"
BEN = Author("file", "Ben")
AT = 1_800_000_000_000
HASHES = {version: f"{version:064x}" for version in range(1, 10)}


def set_id(letter: str) -> str:
    """An id of a set."""
    return letter * 20


@dataclass
class Writer:
    """Somebody who writes one set; what may not follow is left out."""

    name: str = set_id("a")
    author: Author = BEN
    game: str = GAME
    hashes: dict[int, str] = field(default_factory=lambda: HASHES)
    written: AnnotationSet = field(default_factory=AnnotationSet)

    def entry(self, kind: str, version: int, **data: Any) -> AnnotationEntry:
        """The next entry, not yet added."""
        return new_entry(
            game=self.game,
            set_id=self.name,
            number=self.written.number + 1,
            previous=self.written.head,
            author=self.author,
            at=AT + self.written.number,
            kind=kind,
            moment=Moment(version, self.hashes[version]),
            data=data,
        )

    def add(self, kind: str, version: int = 1, **data: Any) -> AnnotationEntry:
        """Write an entry.

        Raises:
            AnnotationRefused, AnnotationBroken
        """
        entry = self.entry(kind, version, **data)
        self.written.append(entry)
        return entry

    def tried(self, wish: dict[str, Any]) -> bool:
        """Write what hypothesis wishes for, where it may follow; returns whether it did."""
        data = {name: value for name, value in wish.items() if name not in {"kind", "version"}}
        version = wish["version"]
        begun = self.written.begins(data.get("of", 0))
        if begun is not None and wish["kind"] != "elsewhere":
            version = begun.first.moment.version
        try:
            self.add(wish["kind"], version, **data)
        except (AnnotationRefused, AnnotationBroken):
            return False
        return True


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
UNKNOWN = st.dictionaries(
    st.sampled_from(["mood", "x-audio", "Zusatz"]),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), TEXTS),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "B c"]), inner, max_size=2)
        ),
        max_leaves=4,
    ),
    max_size=2,
)
SAYING = st.fixed_dictionaries(
    {},
    optional={
        "comment": TEXTS,
        "move": st.sampled_from(["good", "blunder", "of a later release"]),
        "tags": st.lists(TEXTS.filter(bool), max_size=3, unique=True),
        "observations": st.lists(st.sampled_from(["luck", "forced", "new"]), max_size=3, unique=True),
        "variations": st.lists(st.sampled_from(["v1.abc", "Zm9v"]), max_size=2, unique=True),
        "marks": st.lists(
            st.sampled_from([{"on": "seat:1"}, {"on": "pile:draw", "colour": "red"}]), max_size=1
        ),
    },
)
NUMBERS = st.integers(1, 12)
WISHES = st.one_of(
    st.builds(lambda says, more: {"kind": "note", **more, **says}, SAYING, UNKNOWN),
    st.builds(lambda of, says: {"kind": "edit", "of": of, **says}, NUMBERS, SAYING),
    st.builds(lambda of: {"kind": "withdrawal", "of": of}, NUMBERS),
    st.builds(lambda title: {"kind": "publication", "title": title}, TEXTS),
    st.builds(lambda more: {"kind": "applause", **more}, UNKNOWN),
).flatmap(lambda wish: st.integers(1, 9).map(lambda version: {**wish, "version": version}))
LOGS = st.lists(WISHES, max_size=25)
"""What somebody may wish to write, much of which may not follow."""


def written(wishes: list[dict[str, Any]], letter: str = "a") -> Writer:
    """A set of all of these wishes that may follow."""
    writer = Writer(set_id(letter), Author("file", f"writer {letter}"))
    for wish in wishes:
        writer.tried(wish)
    return writer
