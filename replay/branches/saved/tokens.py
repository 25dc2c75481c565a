"""A branch as one line of text; specified byte for byte, with vectors, in docs/branches.md.

`fbb1.` and base64url without padding of: 4 bytes of checksum (the first of the SHA-256 of what follows), and the
payload, compressed by raw deflate. A command that is ready to send stands there as its place among all those of its
seat, sorted by their canonical JSON; any other one is written out. So a token is read with the game's record, and
what it says does not depend on the order in which some release lists legal commands.

Whatever comes in is bounded before it is looked at: characters, bytes after decompression, commands, bytes of each.
"""

import binascii
import hashlib
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final

import msgspec

from events.chain.canonical import canonical
from events.commands import TAKE_BACKS, Command
from events.commands.leaving import LEAVING
from events.log.actors import actor_name
from events.log.codec import encode_command
from events.rules.legal import legal_commands
from events.rules.move import HOST
from replay.branches.branch import MOST_COMMANDS, SEED, Branch, GoOn, Node, check_time, for_ever, new_branch
from replay.branches.command_json import LONGEST_COMMAND, BadCommand, command_in_json
from replay.branches.errors import MoveRefused, NoSuchNode, OtherGame, TokenUnreadable, TooLarge
from replay.branches.origin import Origin
from replay.branches.playing import Position
from replay.branches.saved.varints import Reader, Unreadable, number_bytes, text_bytes
from replay.records.shape import LARGEST

PREFIX: Final = "fbb1."
LONGEST_TOKEN: Final = 48_000
"""Characters of a token at most."""
LARGEST_PAYLOAD: Final = 400_000
"""Bytes of a payload at most, after decompression."""
_CHECKSUM: Final = 4
_DIGEST: Final = 8
_LONGEST_NAME: Final = 200
_MOST_SEATS: Final = 100
_TOKEN: Final = re.compile(r"fbb1\.[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class CommandIndex:
    """A command by its place among its seat's commands that are ready to send, sorted by canonical JSON."""

    place: int


@dataclass(frozen=True, slots=True)
class TokenCommand:
    """A command of a token, without the game."""

    parent: int
    actor: int
    command: Command | CommandIndex


@dataclass(frozen=True, slots=True)
class TokenContents:
    """What a token says by itself."""

    game: str
    version: int
    """The version from which the branch parts."""
    hash: str
    """The chain hash of the game at that version."""
    system: str
    system_version: int
    engine_version: int
    """The rules that it was made with."""
    seed: str
    here: int
    commands: tuple[TokenCommand, ...]
    digest: bytes
    """The first bytes of the SHA-256 over all commands as they are meant."""


def encode_token(branch: Branch) -> str:
    """The branch in one line.

    Raises:
        TooLarge: it does not fit into a token.
    """
    payload = encode_payload(branch)
    packed = zlib.compressobj(9, wbits=-15)
    body = packed.compress(payload) + packed.flush()
    token = PREFIX + urlsafe_b64encode(_checksum(body) + body).rstrip(b"=").decode()
    if len(payload) > LARGEST_PAYLOAD or len(token) > LONGEST_TOKEN:
        raise TooLarge(f"The branch does not fit into a token of {LONGEST_TOKEN} characters; cut it in two.")
    return token


def encode_payload(branch: Branch) -> bytes:
    """What a token holds before it is compressed."""
    origin, state = branch.origin, branch.origin.state
    out = bytearray()
    for text in (origin.game, state.system, branch.seed):
        out += text_bytes(text.encode())
    out += bytes.fromhex(origin.hash)
    for number in (
        origin.version,
        state.system_version,
        state.engine_version,
        branch.here,
        len(branch.nodes),
    ):
        out += number_bytes(number)
    for number, node in enumerate(branch.nodes, 1):
        out += _node_bytes(number, node, branch.positions[node.parent])
    return bytes(out) + _digest(branch.nodes)


def decode_token(token: str) -> TokenContents:
    """What a token says by itself, for whoever has no record at hand.

    Raises:
        TokenUnreadable: it is none, or damaged, or larger than any that is written.
    """
    try:
        return _contents(Reader(_unpack(token)))
    except Unreadable as error:
        raise TokenUnreadable(f"This is no token of a branch: {error}.") from error


def load_branch(token: str | TokenContents, origin: Origin, go_on: GoOn = for_ever) -> Branch:
    """The branch of a token, played through from its origin.

    Raises:
        TokenUnreadable: it is none, or its commands are not those that were written.
        OtherGame: it does not part from this version of this game.
        MoveRefused: the rules forbid one of its commands.
        TooLong: there is no more time.
    """
    contents = decode_token(token) if isinstance(token, str) else token
    check_origin(contents, origin)
    branch = new_branch(origin, contents.seed)
    known: set[tuple[int, int, bytes]] = set()
    for number, each in enumerate(contents.commands, 1):
        check_time(go_on)
        before = branch.positions[each.parent]
        command = _resolve(each, before) if isinstance(each.command, CommandIndex) else each.command
        same = (each.parent, each.actor, canonical(command))
        if same in known:
            raise TokenUnreadable("This is no token of a branch: it holds a command twice.")
        known.add(same)
        try:
            branch = branch.add(Node(each.parent, each.actor, command))
        except MoveRefused as refused:
            refused.node = number
            raise
    if _digest(branch.nodes) != contents.digest:
        raise TokenUnreadable(
            "The commands of this branch do not come out as they were written: the rules that it was made with "
            f"({contents.system} version {contents.system_version}, engine version {contents.engine_version}) "
            "allowed others."
        )
    try:
        return branch.go(contents.here)
    except NoSuchNode as error:
        raise TokenUnreadable(f"This is no token of a branch: {error}") from error


def check_origin(contents: TokenContents, origin: Origin) -> None:
    """Refuse a token that does not part from here.

    Raises:
        OtherGame
    """
    state = origin.state
    if contents.game != origin.game:
        raise OtherGame("This branch belongs to another game.")
    if (contents.version, contents.hash) != (origin.version, origin.hash):
        raise OtherGame(
            f"This branch parts from version {contents.version} with the chain hash {contents.hash[:8]}; the game "
            "has another one there."
        )
    made_with = (contents.system, contents.system_version, contents.engine_version)
    if made_with != (state.system, state.system_version, state.engine_version):
        raise OtherGame("This branch was made with other rules than those that the game is pinned to.")


# --- writing -----------------------------------------------------------------------------------------------


def _node_bytes(number: int, node: Node, before: Position) -> bytes:
    """A head (actor, whether it names the command before it, whether it is written out), and what follows."""
    goes_on = node.parent == number - 1
    place = _place(node, before)
    head = (node.actor + 1 if node.actor != HOST else 0) << 2 | (not goes_on) << 1 | (place is None)
    out = number_bytes(head)
    if not goes_on:
        out += number_bytes(node.parent)
    if place is not None:
        return out + number_bytes(place)
    return out + text_bytes(encode_command(node.command))


def _place(node: Node, before: Position) -> int | None:
    wanted = canonical(node.command)
    ready = _ready(node.actor, before)
    return next((place for place, each in enumerate(ready) if canonical(each) == wanted), None)


def _ready(actor: int, before: Position) -> list[Command]:
    legal = legal_commands(before.rules, before.state, actor)
    ready = (
        each for each in legal if isinstance(each, Command) and not isinstance(each, TAKE_BACKS | LEAVING)
    )
    return sorted(ready, key=canonical)


def _digest(nodes: tuple[Node, ...]) -> bytes:
    written = [[node.parent, actor_name(node.actor), msgspec.to_builtins(node.command)] for node in nodes]
    return hashlib.sha256(canonical(written)).digest()[:_DIGEST]


def _checksum(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()[:_CHECKSUM]


# --- reading -----------------------------------------------------------------------------------------------


def _unpack(token: str) -> bytes:
    """The payload, never more of it than there may be."""
    if len(token) > LONGEST_TOKEN:
        raise Unreadable(f"it has more than {LONGEST_TOKEN} characters")
    if not _TOKEN.fullmatch(token):
        raise Unreadable(f"a token begins with {PREFIX} and goes on in base64url")
    written = token.removeprefix(PREFIX)
    try:
        data = urlsafe_b64decode(written + "=" * (-len(written) % 4))
    except (binascii.Error, ValueError) as error:
        raise Unreadable("its base64url is damaged") from error
    if urlsafe_b64encode(data).rstrip(b"=").decode() != written:
        raise Unreadable("its base64url is not written in the one way there is")
    checksum, body = data[:_CHECKSUM], data[_CHECKSUM:]
    if checksum != _checksum(body):
        raise Unreadable("its checksum is wrong: a part is missing or changed")
    unpacking = zlib.decompressobj(wbits=-15)
    try:
        payload = unpacking.decompress(body, LARGEST_PAYLOAD)
    except zlib.error as error:
        raise Unreadable("its compression is damaged") from error
    if not unpacking.eof or unpacking.unused_data:
        raise Unreadable(f"it holds more than {LARGEST_PAYLOAD} bytes, or does not end where it should")
    return payload


def _contents(reader: Reader) -> TokenContents:
    game, system = _text(reader, _LONGEST_NAME), _text(reader, _LONGEST_NAME)
    seed = _text(reader, _LONGEST_NAME)
    if not SEED.fullmatch(seed):
        raise Unreadable("its seed is none")
    chain_hash = reader.take(32).hex()
    version, system_version, engine_version = (reader.number(LARGEST) for _ in range(3))
    here, count = reader.number(MOST_COMMANDS), reader.number(MOST_COMMANDS)
    if here > count:
        raise Unreadable("it stands after a command that it does not have")
    commands = tuple(_read_node(reader, number) for number in range(1, count + 1))
    digest = reader.take(_DIGEST)
    if not reader.is_done:
        raise Unreadable("it goes on after its end")
    return TokenContents(
        game, version, chain_hash, system, system_version, engine_version, seed, here, commands, digest
    )


def _text(reader: Reader, longest: int) -> str:
    try:
        return reader.text(longest).decode()
    except UnicodeDecodeError as error:
        raise Unreadable("a text is not UTF-8") from error


def _read_node(reader: Reader, number: int) -> TokenCommand:
    head = reader.number(_MOST_SEATS << 2 | 3)
    actor = (head >> 2) - 1 if head >> 2 else HOST
    parent = number - 1
    if head & 2:
        parent = reader.number(number - 1)
        if parent == number - 1:
            raise Unreadable("it names the command before where that is understood")
    return TokenCommand(parent, actor, _command(reader) if head & 1 else CommandIndex(reader.number(LARGEST)))


def _command(reader: Reader) -> Command:
    written = reader.text(LONGEST_COMMAND)
    try:
        command = command_in_json(written)
    except BadCommand as error:
        raise Unreadable(f"a command in it is none: {error}") from error
    if encode_command(command) != written:
        raise Unreadable("a command is not written in the one way there is")
    return command


def _resolve(each: TokenCommand, before: Position) -> Command:
    ready = _ready(each.actor, before)
    place = each.command.place if isinstance(each.command, CommandIndex) else 0
    if place >= len(ready):
        raise TokenUnreadable("This is no token of a branch: it names a legal command that there is not.")
    return ready[place]
