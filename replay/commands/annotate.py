"""`annotate`: write, read, check and join files of annotations, and carry them to a service and back."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from events.record import read_record
from replay.annotations.book import AnnotationBook
from replay.annotations.content import KINDS, Refused, check_vocabulary, content_in
from replay.annotations.entries import Author, Moment, new_entry
from replay.annotations.files import Binding
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS
from replay.annotations.on_disk import read_path, write_path
from replay.annotations.on_screen import author_text
from replay.annotations.sets import AnnotationSet
from replay.commands.annotate_at_service import export_annotations, import_annotations
from replay.commands.annotated import check_bound, findings, notes_json, put_notes
from replay.options import example, json_option, opened, record_argument, stop
from replay.safe_text import safe, safe_json
from replay.verify import Verifier

file_option = click.option("--file", "path", required=True, metavar="FILE", help="The file of annotations.")
author_option = click.option(
    "--author", default="anonymous", envvar="FIELDBOOK_AUTHOR", show_default=True, help="Whose set it is."
)
number_argument = click.argument("number", type=click.IntRange(min=1))


@click.group(epilog=example("fieldbook replay annotate list game.ndjson"))
def annotate() -> None:
    """Say what you think of a game's moves.

    Annotations stand in a file of their own, bound to the game's chain, so the game stays what it
    is. What was written is never changed: an edit or a withdrawal is one more entry.
    """


@dataclass(frozen=True)
class Game:
    """What is asked of a record here."""

    binding: Binding
    hashes: dict[int, str]
    seats: int


def said_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say what a note says."""
    many: dict[str, Any] = {"multiple": True}
    for option in reversed(
        (
            click.option("--comment", default="", help="What you think, in Markdown."),
            click.option("--move", type=click.Choice(list(MOVES)), help="A glyph for the move."),
            click.option("--position", type=click.Choice(list(POSITIONS)), help="A glyph for the position."),
            click.option("--seat", "seats", type=int, **many, help="Who stands so; may be given again."),
            click.option("--observation", "observations", type=click.Choice(list(OBSERVATIONS)), **many),
            click.option("--mark", "marks", metavar="PLACE[=COLOUR]", **many, help="Such as field:1:0=red."),
            click.option("--arrow", "arrows", metavar="PLACE,PLACE[=COLOUR]", **many),
            click.option("--tag", "tags", **many),
            click.option("--variation", "variations", metavar="TOKEN", **many, help="The token of a branch."),
        )
    ):
        command = option(command)
    return command


@annotate.command()
@record_argument
@file_option
@author_option
@click.option("--at", "version", type=click.IntRange(min=1), help="The version that it is about.")
@click.option("--reply-to", metavar="SET/NUMBER", help="The note that it is about instead.")
@said_options
def add(record: str, path: str, author: str, version: int | None, reply_to: str | None, **said: Any) -> None:
    """Write a note about a version, or a reply to a note; the file is made where there is none."""
    if (version is None) == (reply_to is None):
        raise click.UsageError("Give --at, or --reply-to.")
    game, book = _read(record, path)
    data = _said(said)
    if version is not None:
        if version not in game.hashes:
            raise click.UsageError(f"--at {version}: the record ends with version {len(game.hashes)}.")
        _append(
            path,
            game,
            book,
            author,
            kind="note",
            moment=Moment(version, game.hashes[version]),
            data=data,
        )
        return
    name, _, number = (reply_to or "").partition("/")
    found = book.find(name)
    begun = found.begins(int(number)) if found is not None and number.isdecimal() else None
    if begun is None:
        raise click.UsageError(f"--reply-to {safe(reply_to or '', 60)}: there is no such note in the file.")
    data["to"] = {"set": name, "number": begun.first.number, "hash": begun.first.hash}
    _append(path, game, book, author, kind="reply", moment=begun.first.moment, data=data)


@annotate.command()
@record_argument
@file_option
@author_option
@number_argument
@said_options
def edit(record: str, path: str, author: str, number: int, **said: Any) -> None:
    """Say something else in note NUMBER of your set from now on."""
    game, book = _read(record, path)
    data = {**_said(said), "of": number}
    _append(path, game, book, author, kind="edit", moment=_moment_of(book, author, number), data=data)


@annotate.command()
@record_argument
@file_option
@author_option
@number_argument
@click.option("--reason", default="", help="Why.")
def withdraw(record: str, path: str, author: str, number: int, reason: str) -> None:
    """Take note NUMBER of your set back; it stays in the set's history."""
    game, book = _read(record, path)
    data = {"of": number, **({"reason": reason} if reason else {})}
    _append(path, game, book, author, kind="withdrawal", moment=_moment_of(book, author, number), data=data)


@annotate.command()
@record_argument
@file_option
@author_option
@click.option("--title", default="", help="What the set is called.")
def publish(record: str, path: str, author: str, title: str) -> None:
    """Publish your set as it is: a service then shows it to all who may see the game."""
    game, book = _read(record, path)
    if _own(book, author) is None:
        raise click.UsageError("There is nothing of yours in the file.")
    last = len(game.hashes)
    data = {"title": title} if title else {}
    moment = Moment(last, game.hashes[last])
    _append(path, game, book, author, kind="publication", moment=moment, data=data)


@annotate.command(name="list")
@record_argument
@file_option
@json_option
def list_sets(record: str, path: str, *, as_json: bool) -> None:
    """List the sets of a file: whose they are and how far they are published."""
    _, book = _read(record, path, must_exist=True)
    for each in book.sets:
        if as_json:
            value = {
                "set": each.id,
                "title": each.title,
                "author": each.entries[0].written["author"],
                "entries": each.number,
                "published": each.published,
                "hash": each.head,
            }
            click.echo(safe_json(msgspec.json.encode(value)))
        else:
            state = f"published up to {each.published}" if each.published else "draft"
            title = f", {safe(each.title, 120)}" if each.title else ""
            click.echo(f"{each.id}  {author_text(each.author)}{title}: {each.number} entries, {state}")


@annotate.command()
@record_argument
@file_option
@click.option("--at", "version", type=click.IntRange(min=1), help="Only what is about this version.")
@json_option
def show(record: str, path: str, version: int | None, *, as_json: bool) -> None:
    """Show what the notes of a file say, by version."""
    _, book = _read(record, path, must_exist=True)
    shown = 0
    for note in book.standing:
        about = note.first.moment.version
        if note.withdrawn is not None or version not in (None, about):
            continue
        if as_json:
            click.echo(safe_json(msgspec.json.encode(notes_json([note])[0])))
            continue
        if about != shown:
            click.echo(f"version {about}")
        shown = about
        click.echo(f"  {note.first.set}/{note.first.number}")
        put_notes([note])


@annotate.command()
@record_argument
@file_option
def check(record: str, path: str) -> None:
    """Check a file: its chains, and that it is about this game."""
    _, book = _read(record, path, must_exist=True)
    count = sum(each.number for each in book.sets)
    click.echo(f"{safe(book.game, 64)}: {count} annotations in {len(book.sets)} sets hold")


@annotate.command()
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="OTHER")
@click.option("--into", "path", required=True, metavar="FILE", help="Where both together are written.")
def merge(first: str, second: str, path: str) -> None:
    """Join two files about the same game; a set that is in both is taken from where it goes further."""
    with findings():
        (binding, one), (other, two) = read_path(first), read_path(second)
        check_bound(other, AnnotationBook(other.game), binding, {})
        joined = one.joined(two)
        write_path(path, binding, joined)
    click.echo(f"{len(joined.sets)} sets in {safe(path, 200)}")


annotate.add_command(import_annotations)
annotate.add_command(export_annotations)


# --- what they have in common ------------------------------------------------------------------------------


def _read(record: str, path: str, *, must_exist: bool = False) -> tuple[Game, AnnotationBook]:
    """The record and the file, which must be about it; ends the program where they are not."""
    game = _game(record)
    if not must_exist and path != "-" and not Path(path).exists():
        return game, AnnotationBook(game.binding.game)
    with findings():
        binding, book = read_path(path)
        check_bound(binding, book, game.binding, game.hashes)
    return game, book


def _game(record: str) -> Game:
    with findings(), opened(record) as lines:
        header, forms = read_record(lines)
        verifier = Verifier(header)
        found = list(verifier.verified(forms))
    if verifier.finding is not None:
        stop(verifier.finding)
    hashes = {form.entry["version"]: form.hash for form in found}
    return Game(Binding(header.game, hashes[1]), hashes, found[0].entry["data"]["players"])


def _said(said: dict[str, Any]) -> dict[str, Any]:
    """What the options say, as the content of an entry."""
    position, seats = said.pop("position"), list(said.pop("seats"))
    data = {name: list(value) if isinstance(value, tuple) else value for name, value in said.items() if value}
    if position:
        data["position"] = {"glyph": position, **({"seats": seats} if seats else {})}
    elif seats:
        raise click.UsageError("--seat says who stands so: give --position too.")
    data |= {name: [_coloured(each) for each in data[name]] for name in ("marks", "arrows") if name in data}
    return data


def _coloured(text: str) -> dict[str, str]:
    places, _, colour = text.partition("=")
    start, comma, end = places.partition(",")
    ends = {"start": start, "end": end} if comma else {"on": places}
    return {**ends, **({"colour": colour} if colour else {})}


def _own(book: AnnotationBook, author: str) -> AnnotationSet | None:
    """The set of this author that was written in files; one that a service wrote is not theirs to go on with."""
    return next(
        (each for each in book.sets if (each.author.kind, each.author.name) == ("file", author)), None
    )


def _moment_of(book: AnnotationBook, author: str, number: int) -> Moment:
    own = _own(book, author)
    begun = own.begins(number) if own is not None else None
    if begun is None:
        raise click.UsageError(f"{number}: there is no such note of yours in the file.")
    return begun.first.moment


def _append(
    path: str,
    game: Game,
    book: AnnotationBook,
    author: str,
    *,
    kind: str,
    moment: Moment,
    data: dict[str, Any],
) -> None:
    own = _own(book, author) or AnnotationSet()
    now = time.time_ns() // 1_000_000
    with findings():
        content = content_in(kind, data)
        if content is None:
            raise Refused("bad_annotation", f"There are {', '.join(KINDS)}.")
        check_vocabulary(content, game.seats)
        entry = new_entry(
            game=game.binding.game,
            set_id=own.id or secrets.token_hex(10),
            number=own.number + 1,
            previous=own.head,
            author=own.author if own.number else Author("file", author),
            at=max(now, own.entries[-1].at) if own.number else now,
            kind=kind,
            moment=moment,
            data=data,
        )
        book.append(entry)
        write_path(path, game.binding, book)
    click.echo(f"{entry.set}/{entry.number}")
