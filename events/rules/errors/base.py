"""What every refusal has: a message, a stable code, and the topic of the printed rules that it belongs to."""

from typing import ClassVar

from events.chain.canonical import snake_case
from events.rules.errors.printed_rules import Topic


class RuleViolation(Exception):
    """The rules forbid it; the message says what was asked, what stands against it, and what to do.

    Attributes:
        code: the stable code, for machines.
        topic: what the rule is about; None for a house rule. `RuleSystem.section_of` finds the section.
    """

    code: ClassVar[str] = "rule_violation"
    topic: Topic | None = None

    def __init_subclass__(cls, topic: Topic | None = None) -> None:
        """Derive the stable code from the class name and keep the topic."""
        cls.code = snake_case(cls.__name__)
        cls.topic = topic
