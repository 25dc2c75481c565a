"""The message catalogues: a text for each context and key, with the plurals, lists and ordinals of its language.

A catalogue is a PO file beside this module, which every translation tool reads. The rules for plurals, lists and
ordinals are those of the Unicode CLDR, as Babel carries them.
"""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib import resources
from io import BytesIO
from string import Formatter
from types import MappingProxyType
from typing import Any

from babel import Locale
from babel.lists import format_list
from babel.messages.pofile import read_po

from events.rules.catalogues.card_names import LANGUAGES

DEFAULT = "en"
"""The language where nobody has said which."""
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
# The lists of en_GB have no comma before the `and`.
_LOCALES = MappingProxyType({"en": "en_GB", "de": "de", "fr": "fr", "it": "it"})
_Key = tuple[str, str]


class Messages:
    """The messages of one language.

    Attributes:
        language: one of LANGUAGES.
        texts: the text of each context and key: one, or where a number decides the singular and the plural.
    """

    def __init__(self, language: str) -> None:
        """Read the catalogue of a language.

        Raises:
            KeyError: there is no such language.
        """
        self.language = language
        self._locale = Locale.parse(_LOCALES[language])
        content = (resources.files(__package__) / "translations" / f"{language}.po").read_bytes()
        self._variables: dict[_Key, frozenset[str]] = {}
        self.texts: dict[_Key, tuple[str, ...]] = {
            (message.context or "", message.id if isinstance(message.id, str) else message.id[0]): (
                (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            )
            for message in read_po(BytesIO(content))
            if message.id
        }

    @cached_property
    def words(self) -> frozenset[str]:
        """Names that mean something else in a sentence, in small letters: pronouns, `everybody`, `the dealer`."""
        return frozenset(self.say("player", "words").casefold().split("|"))

    def knows(self, context: str, key: str) -> bool:
        """Whether there is a message for this key."""
        return (context, key) in self.texts

    def variables(self, context: str, key: str) -> frozenset[str]:
        """What a message names.

        Raises:
            KeyError: there is no such message.
        """
        found = self._variables.get((context, key))
        if found is None:
            names = (name for text in self.texts[context, key] for _, name, _, _ in Formatter().parse(text))
            found = self._variables[context, key] = frozenset(filter(None, names))
        return found

    def say(self, context: str, key: str, /, **values: Any) -> str:
        """A message with its variables put in; where it has a plural, `count` decides.

        Raises:
            KeyError: there is no such message, or a variable is missing.
        """
        texts = self.texts[context, key]
        singular = len(texts) == 1 or self._locale.plural_form(values["count"]) == "one"
        text = texts[0] if singular else texts[1]
        return text.format_map(values)

    def listed(self, items: Iterable[str]) -> str:
        """Things in a sentence: `a, b and c`, or `nothing`."""
        things = [*items]
        told = things[0] if len(things) == 1 else format_list(things, locale=self._locale)
        return told or self.say("part", "nothing")

    def nth_time(self, number: int) -> str:
        """Which time it was: `for the 2nd time`."""
        return self.say("time", self._locale.ordinal_form(number), number=number)


@cache
def load_messages(language: str) -> Messages:
    """The messages of a language, read once.

    Raises:
        KeyError: there is no such language.
    """
    return Messages(language)


def load_languages() -> None:
    """Read the messages of every language, with all that Babel reads only when something is said for the first time.

    Whoever forks processes does so before: a language takes some megabytes and a tenth of a second of each.
    """
    for language in LANGUAGES:
        messages = load_messages(language)
        messages.listed(messages.words)
        messages.nth_time(1)


def detect_language(environment: Mapping[str, str]) -> str:
    """The language of messages that a POSIX environment asks for, as far as there are sentences in it; else English.

    >>> detect_language({"LANG": "it_IT.UTF-8"}), detect_language({"LANG": "de_CH", "LC_ALL": "C"})
    ('it', 'en')
    """
    asked = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = asked.partition(".")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else DEFAULT
