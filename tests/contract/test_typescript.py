"""TypeScript types made from the contract compile, and a client written with them does too."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.servers import ROOT

NPM: Final = shutil.which("npm")
NPM_REQUIRED: Final = os.environ.get("FIELDBOOK_REQUIRE_NPM") == "1"
PACKAGES: Final = ("openapi-typescript@7.13.0", "typescript@5.9.3")
COMPILING: Final = (
    *("--strict", "--noEmit", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
    *("--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"),
)
SECONDS: Final = 280


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install both packages into a folder of their own, and return where their programs are."""
    if NPM is None:
        if NPM_REQUIRED:
            pytest.fail("FIELDBOOK_REQUIRE_NPM=1, and there is no npm on the path")
        pytest.skip("no npm on the path")
    folder = tmp_path_factory.mktemp("npm")
    options = ("--no-audit", "--no-fund", "--no-package-lock", "--no-save", "--ignore-scripts", "--silent")
    installed = run(NPM, "install", *options, "--prefix", str(folder), *PACKAGES, folder=folder)
    if installed.returncode and not NPM_REQUIRED:
        pytest.skip("npm cannot fetch packages here")
    assert installed.returncode == 0, installed.stderr
    return folder / "node_modules" / ".bin"


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.fixture(scope="module")
def types(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the types, and return the folder in which they are."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "package.json").write_text('{"type": "module"}')
    made = run(packages / "openapi-typescript", ROOT / "openapi.yaml", "-o", "api.ts", folder=folder)
    assert made.returncode == 0, made.stderr
    return folder


def test_generated_types_and_a_client_compile(packages: Path, types: Path) -> None:
    """In the strictest way; events and commands are told apart by their type."""
    shutil.copy(ROOT / "docs" / "examples" / "client.ts", types)

    compiled = run(packages / "tsc", *COMPILING, "client.ts", folder=types)

    assert compiled.returncode == 0, compiled.stdout


def test_a_client_that_gets_the_contract_wrong_does_not_compile(packages: Path, types: Path) -> None:
    """The types say something: a command that there is none of, and a member that an event has not."""
    (types / "wrong.ts").write_text(
        'import type { components } from "./api.js";\n'
        'export const wish: components["schemas"]["Command"] = { type: "plant", field: "first" };\n'
        'export const read = (each: components["schemas"]["LogEntry"]) =>\n'
        '  each.type === "bean_planted" ? each.data.price : 0;\n'
    )

    compiled = run(packages / "tsc", *COMPILING, "wrong.ts", folder=types)

    assert "wrong.ts(2," in compiled.stdout
    assert "'price'" in compiled.stdout
