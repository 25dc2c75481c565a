"""Finished, signed and logged games with everything that a careful reader kept, for tests that change them."""

from dataclasses import dataclass
from functools import cache

from events.commands import RuleGame
from events.game.record import Attachment
from events.rules.systems.registry import BY_KEY
from events.transparency.game_head import GameHead
from events.transparency.signed_note import parse_note
from replay.verification.attestations import Trust
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.ruled_games import ruled_record
from tests.support.signing import Signer

OTHER = GameHead("other", 3, "0" * 64, "finished")
RECEIPT_AT = 30


@dataclass(frozen=True)
class Genuine:
    """A game, what its service attaches, and what the reader trusts."""

    game: RecordedGame
    attached: tuple[Attachment, ...]
    trust: Trust

    def record(self, viewer: int) -> list[bytes]:
        """Its record in this scope."""
        return self.game.record(viewer, attachments=self.attached)


@cache
def signed_game(system: str, seed: int = 23) -> Genuine:
    """A game that was logged second; a checkpoint of that moment is kept, and a receipt; then the log grew."""
    return _signed(recorded_game(seed, BY_KEY[system].players[0], (), 4, system=system))


@cache
def short_signed_game() -> Genuine:
    """Such a game of `classic` that a ruling ended early: to verify it takes a fifth of the time."""
    awarded = RuleGame(1, "awarded", "Ada", "the game", "Seats 1 and 2 are one person.", winners=(0,))
    return _signed(ruled_record(23, "classic", 3, awarded))


def _signed(game: RecordedGame) -> Genuine:
    signer = Signer()
    signer.log(OTHER)
    place = signer.log(game.head)
    kept = signer.kept()
    signer.log(OTHER)
    middle = GameHead(game.table.game, RECEIPT_AT, game.log[RECEIPT_AT - 1].hash, "running")
    trust = Trust((signer.key,), kept, (parse_note(signer.signed(middle)),))
    return Genuine(game, tuple(signer.attachments(game.head, place, 2)), trust)
