"""The page's script: plain ES modules, which a service serves as they are, and an exported file has joined to one.

There is no build step. Joined, a module stands behind those that it imports, without the words `import` and `export`:
all share one scope, so a name stands for one thing in all modules (a test holds that).
"""

import re
from functools import cache
from importlib import resources
from typing import Final

_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?function|const|let|class)", re.MULTILINE)
_BEFORE_CODE: Final = re.compile(r"\n{3,}")


def join_modules(entry: str) -> str:
    """One classic script that does what the module of this name does with all that it imports."""
    joined = "\n".join(_without_borders(read_module(name)) for name in modules_of(entry))
    return f'"use strict";\n(() => {{\n{joined}}})();\n'


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """The names of the modules that one needs, each behind those that it imports, itself last.

    Raises:
        ValueError: modules import one another in a circle.
    """
    found: list[str] = []

    def add(name: str, importing: tuple[str, ...]) -> None:
        if name in importing:
            circle = " -> ".join((*importing, name))
            raise ValueError(f"the page's modules import one another in a circle: {circle}")
        if name not in found:
            for imported in imports_of(name):
                add(imported, (*importing, name))
            found.append(name)

    add(entry, ())
    return tuple(found)


def imports_of(name: str) -> list[str]:
    """The names of the modules that one imports."""
    return _IMPORT.findall(read_module(name))


@cache
def read_module(name: str) -> str:
    """The text of a module."""
    return (resources.files(__package__) / "script" / f"{name}.js").read_text(encoding="utf-8")


def _without_borders(module: str) -> str:
    return _BEFORE_CODE.sub("\n\n", _EXPORT.sub("", _IMPORT.sub("", module)))
