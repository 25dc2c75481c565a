"""Which language to tell a game in, where nobody has said so."""

from collections.abc import Mapping

from events.rules.card_names import LANGUAGES

DEFAULT = "en"
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(environment: Mapping[str, str]) -> str:
    """The language of messages that a POSIX environment asks for, as far as there are sentences in it; else English.

    >>> language_of({"LANG": "it_IT.UTF-8"}), language_of({"LANG": "de_CH", "LC_ALL": "C"}), language_of({})
    ('it', 'en', 'en')
    """
    asked = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = asked.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else DEFAULT
