"""Write all transcripts anew: `python -m tests.playthroughs`. Say in the commit why they have changed."""

from tests.playthroughs.transcripts import PLAYTHROUGHS, transcript

if __name__ == "__main__":
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(transcript(playthrough), encoding="utf-8")
