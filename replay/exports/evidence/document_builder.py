"""A pack as a text to read: the case first, then what happened, what everybody saw, and what can be checked."""

from collections.abc import Iterator
from typing import Any

import msgspec

from events.chain.canonical import canonical
from events.disputes.facts import Person
from replay.exports.evidence.document import (
    MAIN,
    SMALL,
    Block,
    Code,
    Facts,
    Grid,
    Heading,
    Paragraph,
)
from replay.exports.evidence.document_tables import seen_text, tables
from replay.exports.evidence.pack import EvidencePack, TimeUsed, pack_bytes, pack_hash
from replay.terminal.table_text import is_dated, when


def build_document(pack: EvidencePack) -> Iterator[Block]:
    """The whole pack, block by block."""
    case = f"case {pack.dispute.number} of " if pack.dispute.number else ""
    yield Heading(f"Evidence in {case}game {pack.game}", MAIN)
    yield from _case(pack)
    yield from _disputed(pack)
    yield from _verdict(pack)
    yield from _offers(pack)
    yield from _around(pack)
    yield from _times(pack)
    yield from _clock(pack)
    yield from tables(pack)
    yield from _ways_back(pack)
    yield from _annotations(pack)
    yield from _rulings(pack)
    yield from _proof(pack)


def _case(pack: EvidencePack) -> Iterator[Block]:
    dispute = pack.dispute
    rows = [("version", str(dispute.version))]
    if dispute.reason:
        rows.append(("reason", dispute.reason))
    if dispute.opener is not None and dispute.opened is not None:
        rows.append(("opened by", f"{_describe_person(dispute.opener)}, {when(dispute.opened)}"))
    rows.append(("game", f"{pack.game}, {pack.system} version {pack.system_version}, {pack.head.status}"))
    rows.append(("log read up to", f"version {pack.head.version}"))
    yield Heading("The case")
    yield Facts(tuple(rows))
    if dispute.text:
        yield Paragraph(dispute.text, quoted=True)
    for each in dispute.evidence:
        what = "Appeal" if each.is_appeal else "Evidence"
        versions = f", about {_versions(each.versions)}" if each.versions else ""
        yield Paragraph(f"{what} of {_describe_person(each.by)}, {when(each.at)}{versions}:")
        yield Paragraph(each.text, quoted=True)


def _disputed(pack: EvidencePack) -> Iterator[Block]:
    yield Heading("The disputed entry")
    if pack.disputed is None:
        yield Paragraph(
            f"The log does not hold up to version {pack.dispute.version}: what it says there means nothing."
        )
        return
    found = pack.disputed
    yield Paragraph(found.sentence)
    rows = [
        ("version", str(pack.dispute.version)),
        ("time", when(found.entry["at"]) or "not recorded"),
        ("by", found.actor),
    ]
    if found.command_version != pack.dispute.version:
        rows.append(("command", f"the one of version {found.command_version}"))
    yield Facts(tuple(rows))
    if found.command is not None:
        yield Paragraph("The command:")
        yield Code(_json(found.command))
    yield Paragraph("The entry:")
    yield Code(_json(found.entry))


def _verdict(pack: EvidencePack) -> Iterator[Block]:
    verdict = pack.verdict
    yield Heading("What the verifier says")
    if verdict.ok:
        yield Paragraph(f"Versions 1 to {verdict.through} verify, and the rules agree with every command.")
    else:
        yield Paragraph(f"Versions 1 to {verdict.through} DO NOT VERIFY.")
    rows = [("entries", f"{verdict.entries} hold"), ("chain head", verdict.head or "none")]
    rows += [
        ("finding", f"version {each.version}: {each.reason} [{each.check}]") for each in verdict.findings
    ]
    for engine in verdict.engines:
        asked = f"{engine.commands} commands asked, {engine.differing} answered otherwise"
        name = "its own rules" if engine.engine == "pinned" else "today's rules"
        rows.append((name, f"version {engine.system_version}: {asked}"))
        rows += [
            ("", f"version {each.version}, {each.command}: {each.reason}") for each in engine.differences
        ]
    yield Facts(tuple(rows))


def _offers(pack: EvidencePack) -> Iterator[Block]:
    yield Heading("Offers and table talk around it")
    told = [each for each in pack.around if each.about]
    if not told:
        yield Paragraph("Nobody offered or said anything.")
        return
    rows = tuple((str(each.version), _time_of_day(each.at), each.actor, each.sentence) for each in told)
    yield Grid(("version", "time", "who", "what"), rows, _strong(pack, [each.version for each in told]))


def _around(pack: EvidencePack) -> Iterator[Block]:
    yield Heading("Everything around it")
    first, last = pack.around[0], pack.around[-1]
    yield Paragraph(
        f"Versions {first.version} to {last.version}: from the beginning of the turn, and some on either side."
        " Times are UTC; after is how long after the command before it a command arrived. An x stands before what"
        " does not count any more."
    )
    after = {each.version: _seconds(each.after) for each in pack.arrivals}
    rows = tuple(
        (
            f"{'' if each.counts else 'x '}{each.version}",
            _time_of_day(each.at),
            after.get(each.version, ""),
            each.actor if each.begins else "",
            each.sentence,
        )
        for each in pack.around
    )
    strong = _strong(pack, [each.version for each in pack.around])
    yield Grid(("version", "time", "after", "who", "what"), rows, strong)


def _times(pack: EvidencePack) -> Iterator[Block]:
    yield Heading("Time used")
    yield Paragraph("Each command of a seat counts the time since the command before it, of any seat.")
    near = {each.seat: each for each in pack.time_used}
    rows = tuple(
        (f"{each.player} (seat {each.seat})", *_time(near.get(each.seat)), *_time(each))
        for each in pack.time_used_overall
    )
    yield Grid(
        ("player", "commands here", "time", "longest", "commands in all", "time in all", "longest in all"),
        rows,
    )


def _time(used: TimeUsed | None) -> tuple[str, str, str]:
    if used is None or not used.commands:
        return "0", "", ""
    return str(used.commands), _seconds(used.milliseconds), _seconds(used.longest)


def _ways_back(pack: EvidencePack) -> Iterator[Block]:
    if not pack.ways_back:
        return
    yield Heading("Ways back")
    if pack.head.status != "running":
        yield Paragraph("The game is not running: it cannot go back. A ruling can give it another result.")
    yield Paragraph(
        "Cards that were hidden at a version may have been seen since. To go back to it has to be confirmed then,"
        " and a pile of which cards were taken is shuffled anew."
    )
    rows = tuple(
        (
            f"{each.version}{' (disputed)' if each.version == pack.dispute.version else ''}",
            "yes" if each.possible else "no",
            seen_text(each.seen),
        )
        for each in pack.ways_back
    )
    yield Grid(("version", "can go back", "seen since"), rows)


def _annotations(pack: EvidencePack) -> Iterator[Block]:
    if pack.annotations:
        yield Heading("Published annotations")
    for each in pack.annotations:
        yield Heading(f"version {each.version}", SMALL)
        yield Paragraph("\n".join(each.lines), quoted=True)


def _rulings(pack: EvidencePack) -> Iterator[Block]:
    yield Heading("Earlier rulings with this reason")
    if not pack.rulings:
        yield Paragraph("None is known here.")
        return
    rows = tuple(
        (
            f"{each.game}/{each.dispute}",
            when(each.at)[:10],
            f"{each.kind}{'' if each.is_final else ' (not final)'}",
            _describe_person(each.arbiter),
            f"{each.scope}: {each.reason}",
        )
        for each in pack.rulings
    )
    yield Grid(("case", "day", "ruling", "arbiter", "what and why"), rows)


def _proof(pack: EvidencePack) -> Iterator[Block]:
    yield Heading("Proof")
    rows = [("head of the log", f"version {pack.head.version}, {pack.head.hash}")]
    if pack.proof is not None:
        rows.insert(0, ("hash of the entry", pack.proof.hash))
        rows.insert(0, ("hash before it", pack.proof.previous))
        if pack.dispute.hash:
            same = "the same" if pack.dispute.hash == pack.proof.hash else "ANOTHER ONE"
            rows.append(("hash in the case", f"{pack.dispute.hash}: {same}"))
    rows.append(("hash of this pack", pack_hash(pack_bytes(pack))))
    yield Facts(tuple(rows))
    if pack.proof is not None:
        yield Paragraph(
            "The hash of the entry is SHA-256 over the 32 bytes of the hash before it and this, its public form:"
        )
        yield Code(canonical(pack.proof.public).decode())
    yield Paragraph(
        "With the record of the game in the scope all: this checks the whole log, and this whether the pack says"
        " what the log says. The pack as JSON is the file whose SHA-256 is the hash of this pack."
    )
    yield Code("fieldbook replay verify RECORD\nfieldbook replay evidence RECORD --check PACK.json")


def _strong(pack: EvidencePack, versions: list[int]) -> frozenset[int]:
    """The row that the case is about."""
    return frozenset(place for place, version in enumerate(versions) if version == pack.dispute.version)


def _versions(versions: tuple[int, ...]) -> str:
    return f"version{'s' if len(versions) > 1 else ''} {', '.join(map(str, versions))}"


def _describe_person(person: Person) -> str:
    return f"{person.name} ({person.who})" if person.name and person.name != person.who else person.who


def _clock(pack: EvidencePack) -> Iterator[Block]:
    """In a game with a clock: whose time ran, and what was done in its name."""
    if pack.time is None:
        return
    yield Heading("What the clock says")
    yield Paragraph(
        f"The command of version {pack.time.version} arrived at {_time_of_day(pack.time.arrived)}; so much of their"
        " time was left to those who were waited for, with the grace. Times are UTC."
    )
    rows = tuple(
        (
            str(each.seat),
            "a move" if each.offer is None else f"an answer to offer {each.offer}",
            _time_of_day(each.since),
            _time_of_day(each.deadline),
            _left(each.over_at - pack.time.arrived),
        )
        for each in pack.time.running
    )
    if rows:
        yield Grid(("seat", "for", "since", "deadline", "left"), rows)
    told = tuple(
        (
            str(each.version),
            _time_of_day(each.at),
            f"The time of seat {each.seat} was over at {_time_of_day(each.until)}.",
        )
        if each.since is None
        else (
            str(each.version),
            _time_of_day(each.at),
            f"Given back: {_seconds(each.until - each.since)} up to {_time_of_day(each.until)} ({each.reason}).",
        )
        for each in pack.time.told
    )
    if told:
        yield Grid(("version", "time", "what"), told)


def _left(milliseconds: int) -> str:
    return _seconds(milliseconds) if milliseconds >= 0 else f"none; over for {_seconds(-milliseconds)}"


def _time_of_day(at: int) -> str:
    return f"{when(at)[11:19]}.{at % 1000:03}" if is_dated(at) else ""


def _seconds(milliseconds: int) -> str:
    """A duration: `0.250 s`, `2:05 min`, `1:02:05 h`."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    if not minutes:
        return f"{seconds}.{milliseconds % 1000:03} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02} h" if hours else f"{minutes}:{seconds:02} min"


def _json(value: Any) -> str:
    return msgspec.json.format(canonical(value), indent=2).decode()
