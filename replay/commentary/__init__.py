"""What happened in a game, told to people: every event as a sentence in English, German, French and Italian.

The sentences stand in a message catalogue for each language, `en.po` and so on; what a sentence may say is only what
the viewer's form of the event says.
"""

from events.rules.catalogues.card_names import LANGUAGES
from replay.commentary.commentary import Commentary

__all__ = ["LANGUAGES", "Commentary"]
