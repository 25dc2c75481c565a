"""Clients that four generators make from the contract compile, and a linter has nothing to say about it.

docs/decisions/0019 says which generators these are, and what others make of the contract.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.servers import ROOT

NPM: Final = shutil.which("npm")
NPM_REQUIRED: Final = os.environ.get("FIELDBOOK_REQUIRE_NPM") == "1"
PACKAGES: Final = (
    "@hey-api/openapi-ts@0.94.5",
    "@redocly/cli@2.77.0",
    "openapi-typescript@7.13.0",
    "swagger-typescript-api@13.13.0",
    "typescript@5.9.3",
)
"""Each the last that runs on Node 20; one that does more than its work says so here."""
QUIET: Final = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
CONTRACT: Final = ROOT / "openapi.yaml"
FOR_BROWSERS: Final = (
    *("--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"),
    *("--module", "esnext", "--moduleResolution", "bundler"),
)
STRICTEST: Final = (
    *("--strict", "--noEmit", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
    *("--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"),
)
REQUIREMENTS: Final = ROOT / "requirements" / "generators.txt"
PYTHON_SETTINGS: Final = """\
content_type_overrides:  # what is no JSON is bytes
  application/x-ndjson: application/octet-stream
  application/gzip: application/octet-stream
post_hooks: []  # its formatter is not installed
"""
PYTHON_CLIENT: Final = """\
import importlib, pkgutil
import generated
from generated.api.commands import send_commands
from generated.models import PlantCommand, PlantCommandType, SendCommandsResponse422

found = [each.name for each in pkgutil.walk_packages(generated.__path__, "generated.")]
for name in found:
    importlib.import_module(name)
print(len(found), PlantCommand(type_=PlantCommandType.PLANT, field=1).to_dict(), send_commands.sync.__name__)
"""
SECONDS: Final = 280


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder."""
    environment = {**os.environ, **QUIET}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the packages of npm into a folder of their own, and return where their programs are."""
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


@pytest.fixture(scope="module")
def types(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make types with openapi-typescript, and return the folder in which they are."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "package.json").write_text('{"type": "module"}')
    made = run(packages / "openapi-typescript", CONTRACT, "-o", "api.ts", folder=folder)
    assert made.returncode == 0, made.stderr
    return folder


def test_a_linter_finds_nothing(packages: Path, tmp_path: Path) -> None:
    """Redocly's recommended rules: no error, and no warning either."""
    linted = run(packages / "redocly", "lint", CONTRACT, folder=tmp_path)

    assert linted.returncode == 0, linted.stderr
    assert "Your API description is valid" in linted.stdout + linted.stderr
    assert "warning" not in linted.stdout.lower()


def test_types_of_openapi_typescript_and_a_client_compile(packages: Path, types: Path) -> None:
    """In the strictest way; events and commands are told apart by their type."""
    shutil.copy(ROOT / "docs" / "examples" / "client.ts", types)

    compiled = run(packages / "tsc", *STRICTEST, "client.ts", folder=types)

    assert compiled.returncode == 0, compiled.stdout


def test_a_client_that_gets_the_contract_wrong_does_not_compile(packages: Path, types: Path) -> None:
    """The types say something: a command that there is none of, and a member that an event has not."""
    (types / "wrong.ts").write_text(
        'import type { components } from "./api.js";\n'
        'export const wish: components["schemas"]["Command"] = { type: "plant", field: "first" };\n'
        'export const read = (each: components["schemas"]["LogEntry"]) =>\n'
        '  each.type === "bean_planted" ? each.data.price : 0;\n'
    )

    compiled = run(packages / "tsc", *STRICTEST, "wrong.ts", folder=types)

    assert "wrong.ts(2," in compiled.stdout
    assert "'price'" in compiled.stdout


@pytest.mark.parametrize(
    ("generate", "made"),
    [
        (("openapi-ts", "-i", str(CONTRACT), "-o", "client"), "client/index.ts"),
        (("swagger-typescript-api", "generate", "-p", str(CONTRACT), "-o", "."), "Api.ts"),
    ],
    ids=["hey-api", "swagger-typescript-api"],
)
def test_a_client_in_typescript_compiles(
    packages: Path, tmp_path: Path, generate: tuple[str, ...], made: str
) -> None:
    """As generated, without a setting of ours, and with an operation and a command in it."""
    program, *arguments = generate
    generated = run(packages / program, *arguments, folder=tmp_path)
    assert generated.returncode == 0, generated.stdout + generated.stderr

    compiled = run(packages / "tsc", *FOR_BROWSERS, made, folder=tmp_path)

    assert compiled.returncode == 0, compiled.stdout
    written = "".join(each.read_text("utf-8") for each in tmp_path.rglob("*.ts"))
    assert "sendCommands" in written
    assert "PlantCommand" in written


def test_a_client_in_python_compiles(tmp_path: Path) -> None:
    """Nothing of the contract is left out, every module can be imported, and a command is written as it is."""
    python = tmp_path / "environment" / "bin" / "python"
    run(sys.executable, "-m", "venv", "environment", folder=tmp_path)
    (tmp_path / "settings.yaml").write_text(PYTHON_SETTINGS)
    installed = run(
        *(python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--require-hashes"),
        *("-r", REQUIREMENTS),
        folder=tmp_path,
    )
    assert installed.returncode == 0, installed.stderr

    generated = run(
        *(python.with_name("openapi-python-client"), "generate", "--path", CONTRACT, "--meta", "none"),
        *("--config", "settings.yaml", "--output-path", "generated", "--fail-on-warning"),
        folder=tmp_path,
    )
    assert generated.returncode == 0, generated.stdout + generated.stderr

    imported = run(python, "-c", PYTHON_CLIENT, folder=tmp_path)
    assert imported.returncode == 0, imported.stderr
    count, said = imported.stdout.split(" ", 1)
    assert int(count) > 300
    assert said == "{'field': 1, 'type': 'plant'} sync\n"
