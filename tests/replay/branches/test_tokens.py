"""Tokens: every branch comes out of its token as it was, and nothing hostile does any harm."""

import hashlib
import random
import tracemalloc
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import commands as c
from events.commands import Command
from events.log.disclosure import ALL
from events.rules.definition.forms import Form
from replay.branches import (
    Branch,
    BranchError,
    MoveRefused,
    decode_token,
    encode_token,
    load_branch,
    new_branch,
)
from replay.branches.branch import Node
from replay.branches.choices import choices
from replay.branches.command_json import BadCommand, command_in_json
from replay.branches.errors import OtherGame, TokenUnreadable, TooLong
from replay.branches.saved.tokens import LARGEST_PAYLOAD, LONGEST_TOKEN, PREFIX, encode_payload
from replay.branches.saved.varints import Reader, Unreadable, number_bytes
from tests.replay.branches.recordings import CLASSIC, GAMES, origin
from tests.support.recorded_games import filled

STEPS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 999)), max_size=12)


def grown(branch: Branch, steps: list[tuple[int, int]]) -> Branch:
    """The branch with a command more for each step: where it is added, and which one it is."""
    for place, which in steps:
        branch = branch.go(place % (len(branch.nodes) + 1))
        found = choices(branch.position, ALL)
        if found:
            chosen = found[which % len(found)]
            branch = _played(branch, chosen.seat, chosen.command, which)
    return branch


def _played(branch: Branch, seat: int, command: Command | Form, which: int) -> Branch:
    ready = command if isinstance(command, Command) else filled(command, random.Random(which))
    try:
        return branch.play(seat, ready)
    except MoveRefused:  # an offer that was filled in with nothing
        return branch


def token_with(body: bytes) -> str:
    """A token whose checksum is right, whatever is in it."""
    data = hashlib.sha256(body).digest()[:4] + body
    return PREFIX + urlsafe_b64encode(data).rstrip(b"=").decode()


def packed(payload: bytes) -> str:
    """A token with this payload."""
    packer = zlib.compressobj(9, wbits=-15)
    return token_with(packer.compress(payload) + packer.flush())


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(GAMES[::2]), st.sampled_from((0.1, 0.5, 0.8)), STEPS, st.sampled_from(("", "once-more"))
)
def test_a_branch_comes_out_of_its_token_as_it_was(
    name: str, part: float, steps: list[tuple[int, int]], seed: str
) -> None:
    """Tree, place and every event, whatever was played in it; and it is one line of plain letters."""
    branch = grown(new_branch(origin(name, part), seed), steps)

    token = encode_token(branch)

    assert load_branch(token, branch.origin) == branch
    assert token.isascii()
    assert not set(token) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    contents = decode_token(token)
    assert (contents.game, contents.version) == (branch.origin.game, branch.origin.version)
    assert (contents.system_version, contents.engine_version) == (1, 1)


@given(st.integers(0, 2**53 - 1))
def test_numbers_are_read_as_they_are_written(number: int) -> None:
    """In the shortest way only."""
    assert Reader(number_bytes(number)).number(2**53 - 1) == number
    with pytest.raises(Unreadable):
        Reader(number_bytes(number + 1)).number(number)
    longer = number_bytes(number)[:-1] + bytes([number_bytes(number)[-1] | 0x80, 0])
    with pytest.raises(Unreadable):
        Reader(longer).number(2**53 - 1)


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300).map(packed), st.binary(max_size=300).map(token_with), st.text(max_size=80)
    )
)
def test_whatever_is_no_token_is_refused(token: str) -> None:
    """By one kind of error."""
    with pytest.raises(TokenUnreadable):
        decode_token(token)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_payload_never_does_more_than_be_refused(data: st.DataObject) -> None:
    """Bytes changed behind a right checksum: refused as unreadable, of another game, or by the rules.

    Only the number of the command at which one stands may be another one of the same branch.
    """
    branch = grown(new_branch(origin(CLASSIC, 0.5)), [(number, 7 * number) for number in range(6)])
    payload = bytearray(encode_payload(branch))
    place = data.draw(st.integers(0, len(payload) - 1))
    payload[place] ^= data.draw(st.integers(1, 255))

    try:
        loaded = load_branch(packed(bytes(payload)), branch.origin)
    except BranchError:
        return
    assert loaded.here != branch.here
    assert encode_payload(loaded.go(branch.here)) == encode_payload(branch)


@pytest.mark.parametrize("cut", [1, 4, 20, -1])
def test_a_token_that_was_cut_or_changed_is_noticed_at_once(cut: int) -> None:
    """By its checksum, before anything is unpacked."""
    token = encode_token(grown(new_branch(origin(CLASSIC, 0.5)), [(0, 3)]))
    changed = token[:-1] + ("A" if token[-1] != "A" else "B")

    for bad in (
        token[:cut],
        token + "A",
        changed,
        token.replace("fbb1", "fbb2"),
        token + "=",
        f" {token}",
        "",
    ):
        with pytest.raises(TokenUnreadable):
            decode_token(bad)


def test_a_zip_bomb_is_not_unpacked() -> None:
    """A gigabyte in a small token costs no more than the largest payload does."""
    packer = zlib.compressobj(9, wbits=-15)
    body = b"".join(packer.compress(bytes(1_000_000)) for _ in range(30)) + packer.flush()
    token = token_with(body)
    assert len(token) < LONGEST_TOKEN
    tracemalloc.start()
    try:
        with pytest.raises(TokenUnreadable, match=str(LARGEST_PAYLOAD)):
            decode_token(token)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    with pytest.raises(TokenUnreadable, match=str(LONGEST_TOKEN)):
        decode_token(PREFIX + "A" * LONGEST_TOKEN)


def test_a_token_of_another_game_or_version_is_refused() -> None:
    """It is bound to the game, the version and the chain hash there."""
    branch = new_branch(origin(CLASSIC, 0.5))
    token = encode_token(branch)

    with pytest.raises(OtherGame, match="another game"):
        load_branch(token, origin(GAMES[0], 0.5))
    with pytest.raises(OtherGame, match="version"):
        load_branch(token, origin(CLASSIC, 0.8))
    with pytest.raises(OtherGame, match="rules"):
        load_branch(msgspec_replaced(token, engine_version=2), branch.origin)


def msgspec_replaced(token: str, engine_version: int) -> str:
    """The token, made by another engine."""
    body = urlsafe_b64decode(token.removeprefix(PREFIX) + "==")[4:]
    payload = bytearray(zlib.decompress(body, wbits=-15))
    payload[-8 - 2 - 1] = engine_version
    return packed(bytes(payload))


def test_an_illegal_move_in_a_token_is_refused_by_the_rules() -> None:
    """With the number of the command, the rule's code, and what would be legal there."""
    branch = new_branch(origin(CLASSIC, 0.5))
    forged = _unchecked(branch, Node(0, 0, c.Harvest(99)))

    with pytest.raises(MoveRefused) as refused:
        load_branch(encode_token(forged), branch.origin)

    assert refused.value.node == 1
    assert refused.value.violation.code == "no_such_field"


def _unchecked(branch: Branch, node: Node) -> Branch:
    """The branch with a command that nobody has asked the rules about."""
    positions = (*branch.positions, branch.position)
    return Branch(branch.origin, branch.seed, (*branch.nodes, node), positions)


def test_a_command_twice_at_one_place_is_refused() -> None:
    """There is one way to write a tree."""
    branch = new_branch(origin(CLASSIC, 0.5))
    node = Node(0, 0, c.Say("Twice"))

    with pytest.raises(TokenUnreadable, match="twice"):
        load_branch(encode_token(_unchecked(_unchecked(branch, node), node)), branch.origin)


def test_playing_a_token_through_is_bounded_in_time() -> None:
    """Whoever reads one says for how long."""
    token = encode_token(grown(new_branch(origin(CLASSIC, 0.5)), [(0, 3)]))

    with pytest.raises(TooLong):
        load_branch(token, origin(CLASSIC, 0.5), go_on=lambda: False)


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"null",
        b"[]",
        b'{"type":"shuffle","pile":"draw","order":[]}',
        b'{"type":"reveal_secret","secret":""}',
        b'{"type":"fly"}',
        b'{"type":"plant","field":1e3}',
        b'{"type":"plant","field":99999999999999999999}',
        b'{"type":"plant","field":9007199254740992}',
        b'{"type":"plant","field":0,"more":1}',
        b'{"type":"offer","want":{"blue":99999999999999999999999}}',
        b'{"type":"say","text":"\\ud800"}',
        b'{"type":"say","text":"' + b"x" * 5_000 + b'"}',
        b'{"type":"levy","seats":' + b"[" * 1_500 + b"]" * 1_500 + b"}",
    ],
)
def test_what_is_no_command_is_refused(written: bytes) -> None:
    """Unknown and oversized ones, and the dealer's."""
    with pytest.raises(BadCommand):
        command_in_json(written)


def test_commands_may_stand_in_the_tree_as_json_or_by_their_place() -> None:
    """Ready ones by place: a token of many is short; filled-in ones in full."""
    branch = new_branch(origin(CLASSIC, 0.5))
    said = branch.play(0, c.Say("Well?"))

    assert b'{"type":"say","text":"Well?"}' in encode_payload(said)
    ready = next(each for each in choices(branch.position, ALL) if each.number == 1)
    assert isinstance(ready.command, Command)
    assert msgspec.json.encode(ready.command) not in encode_payload(branch.play(ready.seat, ready.command))
