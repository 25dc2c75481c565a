"""`annotate`: write, read, check and merge files of annotations, and exchange them with a service."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from events.game.record import read_record
from events.rules.definition.names import check_name
from events.rules.errors import BadName
from replay.annotations.book import AnnotationBook
from replay.annotations.entries import LONGEST_NAME, Moment
from replay.annotations.files import Binding
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS
from replay.annotations.moments import check_binding, check_bound
from replay.annotations.on_disk import append_as, find_set, read_path, write_path
from replay.annotations.on_screen import author_text
from replay.commands.annotate_at_service import export_annotations, import_annotations
from replay.commands.shared.annotated import file_option, findings, notes_json, print_notes
from replay.commands.shared.options import (
    example,
    exit_with_finding,
    json_option,
    open_record,
    print_json,
    record_argument,
)
from replay.commands.shared.written import require_output, say_written
from replay.platform.number_options import WholeRange
from replay.platform.output_file import ANNOTATIONS
from replay.platform.safe_text import safe
from replay.platform.whole_numbers import is_whole
from replay.verification.verify import Verifier


def _author(_context: click.Context, _option: click.Parameter, name: str) -> str:
    """Take the name of an author where it is one."""
    try:
        check_name(name, longest=LONGEST_NAME)
    except BadName as refused:
        raise click.BadParameter(str(refused)) from refused
    return name


author_option = click.option(
    "--author",
    callback=_author,
    default="anonymous",
    envvar="FIELDBOOK_AUTHOR",
    show_default=True,
    help="The author of the set.",
)
number_argument = click.argument("number", type=WholeRange(min=1))


@click.group(
    epilog=example(
        "fieldbook replay annotate add game.ndjson --file notes.ndjson --at 140 --comment 'Why now?'",
        "fieldbook replay annotate list game.ndjson --file notes.ndjson",
    )
)
def annotate() -> None:
    """Write and read annotations of a game.

    Annotations are kept in a file of their own, bound to the game's chain; the record is not
    changed. Nothing that was written is ever changed: an edit or a withdrawal is another entry.
    """


@dataclass(frozen=True)
class AnnotatedGame:
    """A verified record, and the file of annotations about it."""

    path: str
    binding: Binding
    hashes: dict[int, str]
    seats: int
    book: AnnotationBook

    def append(self, author: str, kind: str, moment: Moment, data: dict[str, Any]) -> None:
        """Add an entry to the author's set, in the file too; ends the program where it cannot be."""
        with findings():
            entry = append_as(self.book, author, kind, moment, data, seats=self.seats)
            write_path(self.path, self.binding, self.book)
        click.echo(f"{entry.set}/{entry.number}", err=self.path == "-")
        say_written(self.path)

    def moment_at(self, version: int) -> Moment:
        """A version with the chain hash there."""
        return Moment(version, self.hashes[version])

    def moment_of(self, author: str, number: int) -> Moment:
        """What a note of the author's is about; ends the program where there is none."""
        own = find_set(self.book, author)
        begun = own.begins(number) if own is not None else None
        if begun is None:
            raise click.UsageError(f"{number}: the file has no such note by this author.")
        return begun.first.moment


def content_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options with the content of a note."""
    many: dict[str, Any] = {"multiple": True}
    for option in reversed(
        (
            click.option("--comment", default="", help="Your comment, in Markdown."),
            click.option("--move", type=click.Choice(list(MOVES)), help="A glyph for the move."),
            click.option("--position", type=click.Choice(list(POSITIONS)), help="A glyph for the position."),
            click.option(
                "--seat",
                "seats",
                type=WholeRange(),
                **many,
                help="The seat that --position is about; repeatable.",
            ),
            click.option("--observation", "observations", type=click.Choice(list(OBSERVATIONS)), **many),
            click.option("--mark", "marks", metavar="PLACE[=COLOUR]", **many, help="Such as field:1:0=red."),
            click.option("--arrow", "arrows", metavar="PLACE,PLACE[=COLOUR]", **many),
            click.option("--tag", "tags", **many),
            click.option(
                "--variation",
                "variations",
                metavar="TOKEN",
                **many,
                help="The token of a branch; repeatable.",
            ),
        )
    ):
        command = option(command)
    return command


@annotate.command()
@record_argument
@file_option
@author_option
@click.option("--at", "version", type=WholeRange(min=1), help="The version to annotate.")
@click.option("--reply-to", metavar="SET/NUMBER", help="The note to reply to instead.")
@content_options
def add(record: str, path: str, author: str, version: int | None, reply_to: str | None, **given: Any) -> None:
    """Add a note about a version, or a reply to a note; the file is created if there is none."""
    if (version is None) == (reply_to is None):
        raise click.UsageError("Give either --at or --reply-to.")
    require_output(Path(path), ANNOTATIONS)
    game = _read(record, path)
    data = _content(given)
    if version is not None:
        if version not in game.hashes:
            raise click.UsageError(f"--at {version}: the record ends with version {len(game.hashes)}.")
        game.append(author, "note", game.moment_at(version), data)
        return
    name, _, number = (reply_to or "").partition("/")
    found = game.book.find(name)
    begun = found.begins(int(number)) if found is not None and is_whole(number) else None
    if begun is None:
        raise click.UsageError(f"--reply-to {safe(reply_to or '', 60)}: there is no such note in the file.")
    data["to"] = {"set": name, "number": begun.first.number, "hash": begun.first.hash}
    game.append(author, "reply", begun.first.moment, data)


@annotate.command()
@record_argument
@file_option
@author_option
@number_argument
@content_options
def edit(record: str, path: str, author: str, number: int, **given: Any) -> None:
    """Replace the content of note NUMBER of your set."""
    require_output(Path(path), ANNOTATIONS)
    game = _read(record, path)
    data = {**_content(given), "of": number}
    game.append(author, "edit", game.moment_of(author, number), data)


@annotate.command()
@record_argument
@file_option
@author_option
@number_argument
@click.option("--reason", default="", help="Why.")
def withdraw(record: str, path: str, author: str, number: int, reason: str) -> None:
    """Withdraw note NUMBER of your set; it stays in the history of the set."""
    require_output(Path(path), ANNOTATIONS)
    game = _read(record, path)
    data = {"of": number, **({"reason": reason} if reason else {})}
    game.append(author, "withdrawal", game.moment_of(author, number), data)


@annotate.command()
@record_argument
@file_option
@author_option
@click.option("--title", default="", help="The title of the set.")
def publish(record: str, path: str, author: str, title: str) -> None:
    """Publish your set as it is: a service then shows it to everybody who may see the game."""
    require_output(Path(path), ANNOTATIONS)
    game = _read(record, path)
    if find_set(game.book, author) is None:
        raise click.UsageError("The file has no annotations by this author.")
    game.append(author, "publication", game.moment_at(len(game.hashes)), {"title": title} if title else {})


@annotate.command(name="list")
@record_argument
@file_option
@json_option
def list_sets(record: str, path: str, *, as_json: bool) -> None:
    """List the sets of a file, with their authors and how far they are published."""
    book = _read(record, path, must_exist=True).book
    if not book.sets:
        click.echo("There are no annotations in it.", err=True)
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
            print_json(value)
        else:
            state = f"published up to {each.published}" if each.published else "draft"
            title = f", {safe(each.title, 120)}" if each.title else ""
            click.echo(f"{each.id}  {author_text(each.author)}{title}: {each.number} entries, {state}")


@annotate.command()
@record_argument
@file_option
@click.option("--at", "version", type=WholeRange(min=1), help="Only annotations of this version.")
@json_option
def show(record: str, path: str, version: int | None, *, as_json: bool) -> None:
    """Show the notes of a file, by version."""
    book = _read(record, path, must_exist=True).book
    shown = 0
    for note in book.standing:
        about = note.first.moment.version
        if note.withdrawn is not None or version not in (None, about):
            continue
        if as_json:
            print_json(notes_json([note])[0])
            continue
        if about != shown:
            click.echo(f"version {about}")
        shown = about
        click.echo(f"  {note.first.set}/{note.first.number}")
        print_notes([note])


@annotate.command()
@record_argument
@file_option
def check(record: str, path: str) -> None:
    """Check the chains of a file, and that it belongs to this game."""
    book = _read(record, path, must_exist=True).book
    count = sum(each.number for each in book.sets)
    click.echo(f"{safe(book.game, 64)}: {count} annotations in {len(book.sets)} sets are valid")


@annotate.command()
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="OTHER")
@click.option("--into", "path", required=True, metavar="FILE", help="The file to write the merged sets to.")
def merge(first: str, second: str, path: str) -> None:
    """Merge two files about the same game; of a set that is in both, the longer one is taken."""
    require_output(Path(path), ANNOTATIONS)
    with findings():
        (binding, one), (other, two) = read_path(first), read_path(second)
        check_binding(other, binding)
        merge = one.merge(two)
        write_path(path, binding, merge)
    click.echo(f"{len(merge.sets)} sets in {safe(path, 200)}", err=path == "-")


annotate.add_command(import_annotations)
annotate.add_command(export_annotations)


# --- shared by the subcommands ----------------------------------------------------------------------------


def _read(record: str, path: str, *, must_exist: bool = False) -> AnnotatedGame:
    """The record and the file, which must belong to it; ends the program where it does not."""
    with findings(), open_record(record) as lines:
        header, forms = read_record(lines)
        verifier = Verifier(header)
        found = list(verifier.iterate_verified(forms))
    if verifier.finding is not None:
        exit_with_finding(verifier.finding)
    hashes = {entry.version: entry.hash for entry in found}
    game, book = Binding(header.game, hashes[1]), AnnotationBook(header.game)
    if must_exist or path == "-" or Path(path).exists():
        with findings():
            binding, book = read_path(path)
            check_bound(binding, book, game, hashes)
    return AnnotatedGame(path, game, hashes, len(found[0].state.seats), book)


def _content(given: dict[str, Any]) -> dict[str, Any]:
    """The content of an entry from the options."""
    position, seats = given.pop("position"), list(given.pop("seats"))
    data = {
        name: list(value) if isinstance(value, tuple) else value for name, value in given.items() if value
    }
    if position:
        data["position"] = {"glyph": position, **({"seats": seats} if seats else {})}
    elif seats:
        raise click.UsageError("--seat belongs to --position: give both.")
    data |= {name: [_parse_mark(each) for each in data[name]] for name in ("marks", "arrows") if name in data}
    return data


def _parse_mark(text: str) -> dict[str, str]:
    places, _, colour = text.partition("=")
    start, comma, end = places.partition(",")
    ends = {"start": start, "end": end} if comma else {"on": places}
    return {**ends, **({"colour": colour} if colour else {})}
