"""The page's script as modules: each name stands for one thing, nothing is left over, and no module needs itself."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from replay.exports.page import modules
from replay.exports.page.writer import ENTRY

FOLDER = Path(modules.__file__).parent / "script"
NAMES = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
NODE = shutil.which("node")


def test_every_module_is_in_the_page() -> None:
    """What the page does not need is not in its folder."""
    assert sorted(modules.modules_of(ENTRY)) == sorted(file.stem for file in FOLDER.glob("*.js"))


def test_a_name_stands_for_one_thing_in_all_modules() -> None:
    """They share one scope where they are joined."""
    names = Counter(
        name for module in modules.modules_of(ENTRY) for name in NAMES.findall(modules.read_module(module))
    )
    assert [name for name, times in names.items() if times > 1] == []


def test_a_module_stands_behind_those_it_imports() -> None:
    """And no `import` or `export` is left in a script that is none."""
    order = modules.modules_of(ENTRY)
    for place, name in enumerate(order):
        assert set(modules.imports_of(name)) <= set(order[:place])
    assert not re.search(r"^\s*(import|export)\b", modules.join_modules(ENTRY), re.MULTILINE)


def test_modules_that_need_one_another_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the circle."""
    texts = {"one": 'import { b } from "./two.js";\n', "two": 'import { a } from "./one.js";\n'}
    monkeypatch.setattr(modules, "read_module", texts.__getitem__)
    with pytest.raises(ValueError, match="one -> two -> one"):
        modules.modules_of("one")


@pytest.mark.skipif(NODE is None, reason="no node on the path")
def test_each_module_is_one(tmp_path: Path) -> None:
    """As modules they are what a browser takes, one by one."""
    assert NODE is not None
    for name in modules.modules_of(ENTRY):
        file = tmp_path / f"{name}.mjs"
        file.write_text(modules.read_module(name), encoding="utf-8")
        subprocess.run([NODE, "--check", str(file)], check=True, timeout=60)
