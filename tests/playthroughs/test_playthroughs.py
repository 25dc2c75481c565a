"""The kept transcripts are what the engine plays today, line by line."""

import pytest

from tests.playthroughs.transcripts import FOLDER, PLAYTHROUGHS, Playthrough, transcript

MOST_LINES = 500


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_a_transcript_is_what_is_played_today(playthrough: Playthrough) -> None:
    """A difference is a changed rule, event, name or shuffle: regenerate with `python -m tests.playthroughs`."""
    kept = playthrough.path.read_text("utf-8").splitlines()
    played = transcript(playthrough).splitlines()
    for number, (old, new) in enumerate(zip(kept, played, strict=False), 1):
        assert old == new, f"{playthrough.path.name}, line {number}"
    assert len(kept) == len(played) <= MOST_LINES


def test_every_kept_transcript_is_played() -> None:
    """No file is left over from a playthrough that is gone."""
    assert {path.name for path in FOLDER.glob("*.txt")} == {
        playthrough.path.name for playthrough in PLAYTHROUGHS
    }


def test_the_transcripts_show_both_ways_in_which_a_game_ends() -> None:
    """While revealing, with the turn finished up to phase 3; and at once, while drawing."""
    texts = [playthrough.path.read_text("utf-8") for playthrough in PLAYTHROUGHS]
    for reason in ("exhausted_before_drawing", "exhausted_while_drawing"):
        assert any(f"reason={reason}" in text for text in texts)
