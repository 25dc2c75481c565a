"""Which language to tell a game in, where nobody has said so."""

from collections.abc import Mapping

from events.rules.catalogues.card_names import LANGUAGES

DEFAULT = "en"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def detect_language(environment: Mapping[str, str]) -> str:
    """The language of messages that a POSIX environment asks for, as far as there are sentences in it; else English.

    >>> detect_language({"LANG": "it_IT.UTF-8"}), detect_language({"LANG": "de_CH", "LC_ALL": "C"})
    ('it', 'en')
    """
    asked = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = asked.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else DEFAULT
