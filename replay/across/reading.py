"""Reading one game of a source: verified to its end and handed on whole, or left out with the reason."""

from typing import Final

from events.game.record import RecordBroken
from events.log.disclosure import ALL, viewer_name
from replay.across.left import USUALLY_LEFT, Left, NotTaken, Reason
from replay.across.played_game import PlayedGame
from replay.across.source import Beside, GameSource, OpenedGame
from replay.platform.safe_text import safe
from replay.records.report import Finding
from replay.verification.attestations import AttestationChecks
from replay.verification.verify import NOTHING_TRUSTED, Verifier

_WHOLE: Final = viewer_name(ALL)
_ANNULLED: Final = "annulled"
_BY_VISIBILITY: Final = {"private": Reason.PRIVATE, "unlisted": Reason.UNLISTED}


def read_game(
    source: GameSource, name: str, leave_out: frozenset[Reason] = USUALLY_LEFT
) -> PlayedGame | Left:
    """A game of a source, verified as `fieldbook replay verify` does; or why it is not to be had.

    Args:
        source: where the game is.
        name: the source's name for it.
        leave_out: the reasons of `BY_CHOICE` for which a game that could be taken is left out.
    """
    game = ""
    try:
        beside = source.beside(name)
        _check_beside(beside, leave_out)
        with source.open(name) as opened:
            game = safe(opened.header.game, 200)
            played = _read(name, opened, beside)
        _check_chosen(played, leave_out)
    except NotTaken as left:
        return Left(name, left.reason, str(left), game)
    except RecordBroken as broken:
        return Left(name, Reason.DOES_NOT_VERIFY, safe(str(broken)), game)
    return played


def _read(name: str, opened: OpenedGame, beside: Beside) -> PlayedGame:
    header = opened.header
    if header.scope != _WHOLE:
        raise NotTaken(
            Reason.NOT_WHOLE, f"the record shows what {safe(header.scope, 40)} may see; {_WHOLE} is needed"
        )
    verifier = Verifier(header, AttestationChecks(NOTHING_TRUSTED))
    entries = tuple(verifier.iterate_verified(opened.forms))
    if verifier.finding is not None:
        raise _not_verified(verifier.finding)
    if entries[-1].state.status != "finished":
        raise NotTaken(Reason.UNFINISHED, f"at its last entry the game is {entries[-1].state.status}")
    return PlayedGame(name, header, entries, verifier.report(), beside.visibility, beside.ruled)


def _not_verified(finding: Finding) -> NotTaken:
    """What is pinned to something that is not installed says nothing against the game; all else does."""
    is_pinned = finding.check == "pinned" and finding.version == 1
    reason = Reason.OTHER_RELEASE if is_pinned else Reason.DOES_NOT_VERIFY
    return NotTaken(reason, f"version {finding.version}, {finding.check}: {finding.reason}")


def _check_beside(beside: Beside, leave_out: frozenset[Reason]) -> None:
    """Leave out, before it is read, what not everybody may see, what was annulled later or what may be damaged.

    Raises:
        NotTaken: it was chosen to be left out.
    """
    hidden = _BY_VISIBILITY.get(beside.visibility)
    if hidden is not None and hidden in leave_out:
        raise NotTaken(hidden, f"the game is {beside.visibility}")
    if beside.ruled == _ANNULLED and Reason.ANNULLED in leave_out:
        raise NotTaken(Reason.ANNULLED, "a ruling after its end annulled the game")
    if beside.quarantine and Reason.QUARANTINED in leave_out:
        raise NotTaken(Reason.QUARANTINED, safe(beside.quarantine))


def _check_chosen(played: PlayedGame, leave_out: frozenset[Reason]) -> None:
    """Leave out what was chosen to be left out by what came about in it.

    Raises:
        NotTaken: this game is.
    """
    if Reason.ANNULLED in leave_out and played.result.reason == _ANNULLED:
        raise NotTaken(Reason.ANNULLED, "a ruling annulled the game")
    if Reason.REWOUND in leave_out and played.rewindings:
        versions = ", ".join(str(each.version) for each in played.rewindings[:10])
        raise NotTaken(Reason.REWOUND, f"the game went back {len(played.rewindings)} times: {versions}")
