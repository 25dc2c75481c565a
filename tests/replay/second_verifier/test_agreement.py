"""Both verifiers say the same of genuine records: of every system, in every scope, finished or not, signed or not."""

from pathlib import Path

import pytest

from events.rules.systems.registry import BY_KEY
from events.transparency.game_head import GameHead
from events.transparency.signed_note import parse_note
from replay.client.sources import record_lines
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from tests.replay.verification.test_logs import LOGS
from tests.support.depth import depth
from tests.support.recorded_games import recorded_game
from tests.support.second_verifier import SecondVerifier, check_agreement
from tests.support.signing import Signer

ONE_OF_EACH = list({(path.parent.name, *path.suffixes): path for path in LOGS}.values())
"""A whole record of each system, and one in each scope in which there are any."""
OTHER = GameHead("other", 3, "0" * 64, "finished")


@pytest.mark.deep
@pytest.mark.parametrize("path", depth(ONE_OF_EACH, LOGS), ids=lambda path: path.stem)
def test_every_log_verifies(second_verifier: SecondVerifier, path: Path) -> None:
    """All recorded games, in all scopes; `make test` takes one of each kind."""
    with record_lines(str(path)) as lines:
        record = list(lines)

    check_agreement(verify_lines(record), second_verifier.report(record))


@pytest.mark.parametrize("system", BY_KEY)
def test_signed_and_logged_records_verify(second_verifier: SecondVerifier, system: str) -> None:
    """In every scope, with a trusted key, receipts and a checkpoint kept from earlier."""
    game = recorded_game(21, BY_KEY[system].players[0], (), 4, system=system)
    signer = Signer()
    signer.log(OTHER)
    place = signer.log(game.head)
    kept = signer.kept()
    signer.log(OTHER)
    receipts = (
        parse_note(signer.signed(GameHead(game.table.game, 9, game.log[8].hash, "running"))),
        parse_note(signer.signed(game.head)),
    )
    trust = Trust((Signer(2).key, signer.key), kept, receipts)

    for viewer in game.scopes:
        record = game.record(viewer, attachments=signer.attachments(game.head, place, 2))
        report = verify_lines(record, trust)
        assert report.logged == "entry 1 of 3"
        check_agreement(report, second_verifier.report(record, trust))


@pytest.mark.parametrize("system", BY_KEY)
def test_records_of_running_games_verify(second_verifier: SecondVerifier, system: str) -> None:
    """Nothing follows from a secret that is not open; everything else is checked."""
    game = recorded_game(22, BY_KEY[system].players[-1], (("start_seat", "random"),), 12, system=system)
    ends = [before.version for before, entry in zip(game.log, game.log[1:], strict=False) if entry.command]

    for end in ends[1 :: max(1, len(ends) // 6)]:
        record = game.record(game.scopes[end % len(game.scopes)], end)
        report = verify_lines(record)
        assert report.ok == (game.log[end].actor != "dealer"), end
        second = second_verifier.report(record)
        assert second["ok"] == report.ok
        assert second["head"] == report.head


def test_cosignatures_of_witnesses_change_nothing_for_the_second_verifier(
    second_verifier: SecondVerifier,
) -> None:
    """It knows nothing of them: to it they are signatures of others, on each of several proofs."""
    game, signer = recorded_game(5), Signer()
    signer.log(OTHER)
    index = signer.log(game.head)
    first = signer.cosigned(index, at=1_800_000_000)
    signer.log(OTHER)
    key, head, _ = signer.attachments(game.head, index)
    record = game.record(attachments=[key, head, first, signer.cosigned(index, at=1_800_000_100)])
    trust = Trust((signer.key,), signer.kept())

    check_agreement(verify_lines(record, trust), second_verifier.report(record, trust))
