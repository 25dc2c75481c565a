"""The image: its linter is content, it is made of what a wheel is made of, and it runs as nobody of importance."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.deploy.files import DEPLOY, ROOT

CONTAINERFILE = DEPLOY / "image" / "Containerfile"
HADOLINT = Path(sys.executable).with_name("hadolint")


def lint(file: Path) -> subprocess.CompletedProcess[str]:
    """What the linter says of a file."""
    return subprocess.run([HADOLINT, file], capture_output=True, text=True, check=False)


def instructions(name: str) -> list[str]:
    """What the file says in instructions of this name, each on one line."""
    text = re.sub(r"\\\n\s*", "", CONTAINERFILE.read_text(encoding="utf-8"))
    return re.findall(rf"^{name} (.*)$", text, re.MULTILINE)


def test_the_linter_has_nothing_to_say(tmp_path: Path) -> None:
    """And would have: the same file with a base that anybody may change is refused."""
    done = lint(CONTAINERFILE)
    assert (done.returncode, done.stdout) == (0, "")
    loose = tmp_path / "Containerfile"
    loose.write_text(
        re.sub(r"FROM \$\{PYTHON\}$", "FROM python:latest", CONTAINERFILE.read_text(), flags=re.MULTILINE)
    )
    assert "DL3007" in lint(loose).stdout


def test_every_stage_stands_on_one_base_that_is_pinned_by_its_content() -> None:
    """A tag can be moved, a digest cannot."""
    (base,) = [each for each in instructions("ARG") if each.startswith("PYTHON=")]
    assert re.fullmatch(r"PYTHON=docker\.io/library/python:3\.\d+-slim-\w+@sha256:[0-9a-f]{64}", base)
    assert {each.split()[0] for each in instructions("FROM")} == {"${PYTHON}"}


def test_it_takes_the_packages_and_nothing_else_of_the_tree() -> None:
    """Neither tests nor a `.git`: what is copied is what is sent to the builder, and all that a wheel is made of."""
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    wanted = {each.rstrip("*") for each in packages["include"]}
    copied = {
        name.rstrip("/")
        for line in instructions("COPY")
        if not line.startswith("--from")
        for name in line.split()[:-1]
    }
    assert copied == wanted | {
        "requirements",
        "pyproject.toml",
        "LICENSE",
        "openapi.yaml",
        "docs/problems.md",
    }
    sent = (DEPLOY / "image" / "Containerfile.dockerignore").read_text().splitlines()
    assert "*" in sent
    assert {line[1:] for line in sent if line.startswith("!")} == copied


def test_every_package_is_one_that_was_tested() -> None:
    """By hash, as a wheel, and ours without asking anybody."""
    first, second = [line for line in instructions("RUN") if " install " in line and "pip/bin" in line][-2:]
    assert {"--require-hashes", "--only-binary"} <= set(first.split())
    assert {"--no-deps", "--no-index", "--no-build-isolation"} <= set(second.split())


def test_it_is_not_root_and_says_whether_it_is_well() -> None:
    """The user is a number, since only then can others see that it is not 0."""
    assert instructions("USER") == ["10001:10001"]
    assert instructions("VOLUME") == ["/var/lib/fieldbook"]
    (health,) = instructions("HEALTHCHECK")
    assert health.endswith('CMD ["fieldbook", "ready"]')
    assert instructions("CMD") == ['["fieldbook", "up"]']
