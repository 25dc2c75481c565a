"""Records whose seats name players: both verifiers read them, and hold the event against its command."""

from events.log.disclosure import ALL, PUBLIC
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, altered, entry_of
from tests.support.games_of_players import game_of_players
from tests.support.second_verifier import SecondVerifier, check_agreement, second_verifier

__all__ = ["second_verifier"]


def _in_the_event_alone(lines: list[Line]) -> None:
    entry_of(lines, "seat_taken", 0)["entry"]["data"]["player"] = "acme:eve"


def test_both_verify_a_game_of_players_and_refuse_another_one_in_the_event(
    second_verifier: SecondVerifier,
) -> None:
    """Of whatever scope: what the command says of the player is what the event has to say."""
    game = game_of_players()
    for viewer in (ALL, PUBLIC):
        record = game.record(viewer)
        assert b'"player":"acme:ada"' in b"".join(record)
        check_agreement(verify_lines(record), second_verifier.report(record))
        forged = altered(record, _in_the_event_alone)
        first, second = verify_lines(forged), second_verifier.report(forged)
        assert not first.ok
        assert [each["check"] for each in second["findings"]] == ["commands"]
