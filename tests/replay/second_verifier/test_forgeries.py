"""What somebody would do on purpose to a signed record: both verifiers find each, with the trusted key given."""

import base64
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from events.chain.commitments import commit, salt
from events.game.dealing import commitment_to
from events.game.record import LONGEST_LINE, Attachment
from events.log.disclosure import ALL
from events.transparency.game_head import GameHead
from events.transparency.signed_note import parse_note
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from tests.replay.second_verifier.genuine import OTHER, short_signed_game
from tests.replay.verification.forging import Line, entry_of, parsed, relinked, resettled, written
from tests.support.second_verifier import SecondVerifier
from tests.support.signing import Signer

GENUINE = short_signed_game()
RECORD = GENUINE.record(ALL)
ENTRIES = len(GENUINE.game.log)
DEALT = next(entry.version for entry in GENUINE.game.log if entry.type == "hand_dealt")


def check_found(second: SecondVerifier, record: list[bytes], trust: Trust = GENUINE.trust) -> None:
    """Both verifiers find something, and say where."""
    whole = b"".join(record)
    first = verify_lines(whole.splitlines(keepends=True), trust)
    report = second.report(whole, trust)

    assert not first.ok
    assert not report["ok"]
    assert first.findings[0].reason
    assert report["findings"][0]["reason"]


# --- one line, written in another way --------------------------------------------------------------------------

AROUND: dict[str, Callable[[bytes], bytes]] = {
    "white space": lambda line: line.replace(b":", b": ", 1),
    "a tab at its end": lambda line: line[:-1] + b"\t\n",
    "carriage return": lambda line: line[:-1] + b"\r\n",
    "no line feed": lambda line: line[:-1],
    "an empty line before it": lambda line: b"\n" + line,
    "a byte order mark": lambda line: b"\xef\xbb\xbf" + line,
    "no UTF-8": lambda line: line.replace(b'":"', b'":"\xff', 1),
    "an overlong encoding": lambda line: line.replace(b'":"', b'":"\xc0\xaf', 1),
    "a surrogate in UTF-8": lambda line: line.replace(b'":"', b'":"\xed\xa0\x80', 1),
    "half a surrogate pair": lambda line: line.replace(b'":"', b'":"\\ud800', 1),
    "a needless escape": lambda line: line.replace(b"a", b"\\u0061", 1),
    "a raw control character": lambda line: line.replace(b'":"', b'":"\x01', 1),
    "a null character": lambda line: line + b"\0",
    "a member twice": lambda line: line.replace(b'{"', b'{"hash":"","hash":"","', 1),
    "a comment": lambda line: line.replace(b"{", b"{/**/", 1),
    "a comma too many": lambda line: line[:-2] + b",}\n",
    "a longer line than allowed": lambda line: line[:-2] + b" " * LONGEST_LINE + b"}\n",
    "deep nesting": lambda line: line[:-2] + b',"more":' + b"[" * 5_000 + b"]" * 5_000 + b"}\n",
    "a whole line of brackets": lambda _: b"[" * 900_000 + b"\n",
    "null": lambda _: b"null\n",
    "a list": lambda line: b"[" + line[:-1] + b"]\n",
    "the prototype": lambda line: line[:-2] + b',"__proto__":{"record":1}}\n',
    "trailing data": lambda line: line[:-1] + b"{}\n",
}


@pytest.mark.parametrize("place", [0, 30, -2, -1], ids=["header", "entry", "attachment", "end"])
@pytest.mark.parametrize("way", AROUND)
def test_a_line_written_in_another_way_is_found(
    second_verifier: SecondVerifier, way: str, place: int
) -> None:
    """There is one way to write a line."""
    record = list(RECORD)
    record[place] = AROUND[way](record[place])
    assert record != RECORD

    check_found(second_verifier, record)


NUMBERS = {
    "NaN": b"NaN",
    "Infinity": b"-Infinity",
    "a fraction": b"30.5",
    "a fraction that is none": b"30.0",
    "an exponent": b"3e1",
    "minus nought": b"-0",
    "a leading nought": b"030",
    "a plus": b"+30",
    "54 bits": b"9007199254740992",
    "one more that JavaScript rounds": b"9007199254740993",
    "a huge number": b"9" * 5_000,
    "a number as text": b'"30"',
    "true": b"true",
}


@pytest.mark.parametrize("name", ["version", "schema", "at"])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_that_is_none_is_found(second_verifier: SecondVerifier, number: str, name: str) -> None:
    """Numbers are integers of 53 bits, written plainly."""
    record = list(RECORD)
    line = json.loads(record[30])
    line["entry"][name] = "HERE"
    record[30] = (
        json.dumps(line, separators=(",", ":"), ensure_ascii=False)
        .encode()
        .replace(b'"HERE"', NUMBERS[number])
        + b"\n"
    )

    check_found(second_verifier, record)


# --- values changed, and linked anew ---------------------------------------------------------------------------


def _set(*way: Any, to: Any) -> Callable[[list[Line]], None]:
    def change(lines: list[Line]) -> None:
        holder: Any = lines
        for step in way[:-1]:
            holder = holder[step]
        holder[way[-1]] = to

    return change


def _other_score(lines: list[Line]) -> None:
    entry_of(lines, "game_ended")["entry"]["data"]["scores"][0] += 1


def _other_winner(lines: list[Line]) -> None:
    data = entry_of(lines, "game_ended")["entry"]["data"]
    data["winners"] = [(data["winners"][0] + 1) % 3]


def _other_deal(lines: list[Line]) -> None:
    """Two cards of the first pile change places, in the order and in the hand."""
    shuffled, dealt = entry_of(lines, "pile_shuffled"), entry_of(lines, "hand_dealt")
    order, cards = shuffled["entry"]["data"]["order"], dealt["entry"]["data"]["cards"]
    other = next(place for place, card in enumerate(order) if card != order[0] and place > 20)
    order[0], order[other] = order[other], order[0]
    cards[0] = order[0]
    shuffled["entry"]["command"]["order"] = order


def _other_secret(lines: list[Line]) -> None:
    """Another secret throughout, with a commitment and salts that fit it."""
    secret = "ab" * 32
    lines[0]["secret"] = secret
    for holder in (lines[1]["entry"]["data"], lines[1]["entry"]["command"]):
        holder["commitment"] = commitment_to(secret)
    last = lines[ENTRIES]["entry"]
    last["data"]["secret"] = last["command"]["secret"] = secret


def _without_secret(lines: list[Line]) -> None:
    del lines[0]["secret"]


def _other_salt(lines: list[Line]) -> None:
    lines[DEALT]["salts"]["data/cards/0"] = "0" * 32


def _opened_commitment(lines: list[Line]) -> None:
    line = lines[DEALT]
    value = line["entry"]["data"]["cards"][0]
    line["entry"]["data"]["cards"][0] = {"commitment": commit(line["salts"]["data/cards/0"], value)}


def _salt_dropped(lines: list[Line]) -> None:
    del lines[DEALT]["salts"]["data/cards/0"]


def _salt_too_many(lines: list[Line]) -> None:
    lines[DEALT]["salts"]["data/seat"] = salt(GENUINE.game.table.key, DEALT, "data/seat")


def _salts_reordered(lines: list[Line]) -> None:
    lines[DEALT]["salts"] = dict(reversed(lines[DEALT]["salts"].items()))


def _members_reordered(lines: list[Line]) -> None:
    lines[30]["entry"] = dict(reversed(lines[30]["entry"].items()))


def _line_reordered(lines: list[Line]) -> None:
    lines[30] = dict(reversed(lines[30].items()))


def _other_copies(lines: list[Line]) -> None:
    lines[0]["catalogue"]["beans"][0]["copies"] += 1
    lines[0]["catalogue"]["beans"][1]["copies"] -= 1


def _default_written(lines: list[Line]) -> None:
    lines[0]["catalogue"]["beans"][0]["family"] = ""


def _steps_reordered(lines: list[Line]) -> None:
    bean = lines[0]["catalogue"]["beans"][0]
    bean["beanometer"] = dict(reversed(bean["beanometer"].items()))


def _upper_case(lines: list[Line]) -> None:
    lines[30]["hash"] = lines[30]["hash"].upper()


def _upper_case_state(lines: list[Line]) -> None:
    lines[30]["entry"]["state"] = lines[30]["entry"]["state"].upper()


def _cut(lines: list[Line]) -> None:
    """The last entry goes, with a new end in its place and no secret in the header."""
    del lines[ENTRIES]
    lines[-1] = {"end": ENTRIES - 1, "hash": lines[ENTRIES - 1]["hash"]}


def _cut_to_a_running_game(lines: list[Line]) -> None:
    ends = [line["entry"]["version"] for line in lines[1 : ENTRIES + 1] if "command" in line["entry"]]
    del lines[0]["secret"], lines[ends[40] : ENTRIES + 1]
    lines[-1] = {"end": ends[40] - 1, "hash": lines[ends[40] - 1]["hash"]}


def _nothing_attached(lines: list[Line]) -> None:
    del lines[0]["attached"], lines[-5:-1]


def _head_dropped(lines: list[Line]) -> None:
    lines[0]["attached"].remove("head")
    lines[:] = [line for line in lines if line.get("attached") != "head"]


def _renamed(kind: str) -> Callable[[list[Line]], None]:
    def change(lines: list[Line]) -> None:
        for line in lines[1:]:
            if line.get("attached") == kind:
                line["attached"] = "beans"

    return change


CHANGES: dict[str, Callable[[list[Line]], None]] = {
    "another score": _other_score,
    "another winner": _other_winner,
    "another deal": _other_deal,
    "another secret": _other_secret,
    "no secret in the header": _without_secret,
    "another secret in the header": _set(0, "secret", to="ab" * 32),
    "an empty secret": _set(0, "secret", to=""),
    "another salt": _other_salt,
    "a value closed": _opened_commitment,
    "a salt dropped": _salt_dropped,
    "a salt too many": _salt_too_many,
    "salts reordered": _salts_reordered,
    "members reordered": _members_reordered,
    "a line reordered": _line_reordered,
    "another deck": _other_copies,
    "another name of the deck": _set(0, "catalogue", "name", to="bohnanza-105"),
    "a default written down": _default_written,
    "a beanometer reordered": _steps_reordered,
    "another game in the header": _set(0, "game", to="game-24"),
    "another game in the first entry": _set(1, "entry", "data", "game", to="game-24"),
    "a narrower scope": _set(0, "scope", to="public"),
    "a seat's scope": _set(0, "scope", to="seat:0"),
    "a scope that there is not": _set(0, "scope", to="seat:00"),
    "a future format": _set(0, "record", to=2),
    "an unknown schema": _set(30, "entry", "schema", to=2),
    "an unknown event": _set(30, "entry", "type", to="beans_counted"),
    "the prototype's event": _set(30, "entry", "type", to="constructor"),
    "an unknown engine": _set(1, "entry", "data", "engine_version", to=2),
    "an unknown version of the rules": _set(1, "entry", "data", "system_version", to=2),
    "another rule system": _set(1, "entry", "data", "system", to="extended"),
    "an unknown rule system": _set(1, "entry", "data", "system", to="__proto__"),
    "another time": _set(30, "entry", "at", to=1),
    "another actor": _set(30, "entry", "actor", to="seat:99"),
    "a member of an entry too many": _set(30, "entry", "more", to=1),
    "a member of a line too many": _set(30, "more", to=1),
    "a member of the header too many": _set(0, "more", to=1),
    "an address to follow": _set(0, "catalogue", "source", to="file:///etc/passwd"),
    "an upper-case hash": _upper_case,
    "an upper-case state": _upper_case_state,
    "an end elsewhere": _set(-1, "end", to=ENTRIES - 1),
    "another hash at the end": _set(-1, "hash", to="0" * 64),
    "the last entry cut off": _cut,
    "cut back to a running game": _cut_to_a_running_game,
    "nothing attached": _nothing_attached,
    "the signature taken away": _head_dropped,
    "an attachment of no known kind": _renamed("inclusion"),
    "a list of attachments that lies": _set(0, "attached", to=["key", "head"]),
    "attachments in another order": _set(0, "attached", to=["head", "key", "inclusion", "consistency"]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_found(second_verifier: SecondVerifier, what: str) -> None:
    """As it stands."""
    lines = parsed(RECORD)
    CHANGES[what](lines)

    check_found(second_verifier, written(lines))


LINKED = [
    "another score",
    "another winner",
    "another deal",
    "another secret",
    "another game in the first entry",
]


@pytest.mark.parametrize("what", LINKED)
def test_a_change_that_is_linked_anew_is_found(second_verifier: SecondVerifier, what: str) -> None:
    """States and chain computed anew throughout: what was signed gives it away, or the rules and the secret."""
    lines = parsed(RECORD)
    attached = lines[ENTRIES + 1 : -1]
    CHANGES[what](lines)
    del lines[ENTRIES + 1 : -1]
    for forge in (relinked, resettled):
        forged = parsed(forge([*lines]))

        check_found(second_verifier, written([*forged[:-1], *attached, forged[-1]]))


@pytest.mark.parametrize("what", LINKED)
def test_a_change_that_is_signed_with_another_key_is_found(
    second_verifier: SecondVerifier, what: str
) -> None:
    """Somebody's key of the same name signs the head of the forged game, and a log of that key holds it."""
    lines = parsed(RECORD)
    CHANGES[what](lines)
    del lines[ENTRIES + 1 : -1]
    forged = parsed(resettled(lines))
    head = GameHead(GENUINE.game.table.game, ENTRIES, forged[-1]["hash"], "finished")
    signer = Signer(2)
    attached = [msgspec.to_builtins(each) for each in signer.attachments(head, signer.log(head))]
    forged[0]["attached"] = [each["attached"] for each in attached]

    check_found(second_verifier, written([*forged[:-1], *attached, forged[-1]]))


# --- signatures, proofs, and what was kept ---------------------------------------------------------------------


def _with(kind: str, change: Callable[[str], str]) -> list[Attachment]:
    found = [
        Attachment(each.attached, change(each.content) if each.attached == kind else each.content)
        for each in GENUINE.attached
    ]
    assert found != list(GENUINE.attached)
    return found


def _other_base64(text: str) -> str:
    """The last character before the padding with another unused bit: many readers take it for the same bytes."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    place = text.rindex("=") - 1
    while text[place] == "=":
        place -= 1
    other = letters[letters.index(text[place]) ^ 1]
    assert base64.b64decode(text[:place].rsplit(maxsplit=1)[-1] + other + text[place + 1 :].strip())
    return text[:place] + other + text[place + 1 :]


def _broken_proof(text: str) -> str:
    lines = text.split("\n")
    lines[2] = base64.b64encode(bytes(32)).decode()
    return "\n".join(lines)


ATTACHED: dict[str, list[Attachment]] = {
    "base 64 written in another way": _with("head", _other_base64),
    "base 64 of the key written in another way": _with("key", lambda text: text.replace("+", "-")),
    "a key with white space": _with("key", lambda text: text + " "),
    "another attached key": _with("key", lambda _: str(Signer(2).key)),
    "a key under another name": _with("key", lambda text: text.replace("fieldbook", "fieldbOOk")),
    "a head without a signature": _with("head", lambda text: text.split("\n\n")[0] + "\n"),
    "a head with two blank lines": _with("head", lambda text: text.replace("\n\n", "\n\n\n")),
    "a head with a hyphen": _with("head", lambda text: text.replace("—", "-")),
    "a signed head of another game": _with("head", lambda _: Signer().signed(OTHER)),
    "a head signed by another key": _with("head", lambda _: Signer(2).signed(GENUINE.game.head)),
    "a signature without its end": _with("head", lambda text: text[:-9] + "\n"),
    "a proof of another place": _with("inclusion", lambda text: text.replace("index 1", "index 0")),
    "a proof with a leading nought": _with("inclusion", lambda text: text.replace("index 1", "index 01")),
    "a proof with a hash too many": _with(
        "inclusion",
        lambda text: text.replace("index 1\n", f"index 1\n{base64.b64encode(bytes(32)).decode()}\n"),
    ),
    "a proof with another hash": _with("inclusion", _broken_proof),
    "a proof with something extra": _with(
        "inclusion", lambda text: text.replace("index 1\n", "extra AAAA\nindex 1\n")
    ),
    "a proof for another version of the format": _with("inclusion", lambda text: text.replace("@v1", "@v2")),
    "a consistency proof between other sizes": _with(
        "consistency", lambda text: text.replace("from 2", "from 1")
    ),
    "a consistency proof without hashes": _with(
        "consistency", lambda text: "\n".join(text.split("\n")[:3]) + "\n"
    ),
    "an attachment twice": [*GENUINE.attached[:2], GENUINE.attached[1], *GENUINE.attached[2:3]],
    "no proof": list(GENUINE.attached[:2]),
    "no consistency proof": list(GENUINE.attached[:3]),
}


@pytest.mark.parametrize("what", ATTACHED)
def test_an_attachment_that_does_not_fit_is_found(second_verifier: SecondVerifier, what: str) -> None:
    """By whoever has the key and the checkpoint."""
    check_found(second_verifier, GENUINE.game.record(ALL, attachments=ATTACHED[what]))


def _kept(signer: Signer, *heads: GameHead) -> Trust:
    for head in heads:
        signer.log(head)
    return Trust((Signer().key, signer.key), signer.kept())


def _receipt(head: GameHead, signer: Signer | None = None) -> Trust:
    return Trust((Signer().key,), None, (parse_note((signer or Signer()).signed(head)),))


HEAD = GENUINE.game.head
RECEIPT = GameHead(HEAD.game, 40, GENUINE.game.log[39].hash, "running")
TRUSTED: dict[str, Trust] = {
    "another key": Trust((Signer(2).key,)),
    "a key of another name": Trust((Signer(name="fieldbook.test/log2").key,)),
    "a checkpoint from before the game": _kept(Signer(), OTHER),
    "a checkpoint of another tree": _kept(Signer(), HEAD, OTHER, OTHER),
    "a smaller checkpoint of another tree": _kept(Signer(), HEAD, OTHER),
    "a checkpoint of a larger log": _kept(Signer(), OTHER, HEAD, OTHER, OTHER),
    "a checkpoint of another log": _kept(Signer(name="fieldbook.test/log2"), OTHER, HEAD),
    "a checkpoint that is a head": Trust((Signer().key,), parse_note(Signer().signed(OTHER))),
    "a receipt with another hash": _receipt(GameHead(HEAD.game, 40, "0" * 64, "running")),
    "a receipt of another game": _receipt(OTHER),
    "a receipt of a later version": _receipt(GameHead(HEAD.game, ENTRIES + 1, "0" * 64, "finished")),
    "a receipt signed by nobody trusted": _receipt(RECEIPT, Signer(2)),
    "a receipt that is a checkpoint": Trust((Signer().key,), None, (Signer(heads=[OTHER.text()]).kept(),)),
}


@pytest.mark.parametrize("what", TRUSTED)
def test_a_record_that_does_not_fit_what_was_kept_is_found(
    second_verifier: SecondVerifier, what: str
) -> None:
    """The genuine record, held against another key, checkpoint or receipt."""
    check_found(second_verifier, RECORD, TRUSTED[what])


@pytest.mark.parametrize(
    "record",
    [
        [],
        [b"\n"],
        [b"hello\n"],
        RECORD[:1],
        RECORD[:-1],
        [*RECORD, b"\n"],
        [*RECORD, RECORD[-1]],
        RECORD[::-1],
    ],
    ids=["nothing", "an empty line", "text", "a header", "no end", "a line more", "two ends", "backwards"],
)
def test_a_file_that_is_no_whole_record_is_found(
    second_verifier: SecondVerifier, record: list[bytes]
) -> None:
    """Cut off, gone on after its end, or something else."""
    check_found(second_verifier, record)
