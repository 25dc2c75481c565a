"""Clients that four generators make from the contract compile, and a linter has nothing to say about it.

docs/decisions/0010 names the generators. One of them generates the types of our own JavaScript client, which is
packed and installed here.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import Service
from tests.support.second_verifier import node_program
from tests.support.servers import ROOT

NPM: Final = shutil.which("npm")
NPM_REQUIRED: Final = os.environ.get("FIELDBOOK_REQUIRE_NPM") == "1"
OUR_PACKAGE: Final = ROOT / "replay" / "package.json"
PACKAGES: Final = (
    "@hey-api/openapi-ts@0.94.5",
    "@redocly/cli@2.77.0",
    "@types/node@20.19.43",
    "swagger-typescript-api@13.13.0",
    *(
        f"{name}@{version}"
        for name, version in json.loads(OUR_PACKAGE.read_text())["devDependencies"].items()
    ),
)
"""Each is the last that runs on Node 20; the package's own are those that `make package` uses."""
QUIET: Final = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
CONTRACT: Final = ROOT / "openapi.yaml"
FOR_BROWSERS: Final = (
    *("--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"),
    *("--module", "esnext", "--moduleResolution", "bundler"),
)
STRICTEST: Final = (
    *("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
    *("--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"),
)
BEGINNING: Final = (
    'import { Fieldbook, follow, isEntry } from "fieldbook";',
    "const fieldbook = new Fieldbook();",
)
WRONG: Final = {
    'await fieldbook.get("/v1/game");': "'\"/v1/game\"'",
    'await fieldbook.get("/v1/games/{game}");': "Expected 2 arguments",
    'await fieldbook.get("/v1/games", { status: "gone" });': "'\"gone\"'",
    'await fieldbook.send("POST", "/v1/games/{game}/seats", { name: 7 }, { game: "" });': "'number'",
    '(await fieldbook.get("/v1/games/{game}", { game: "" })).seats.map(({ coin }) => coin);': "'coin'",
    'for await (const each of follow(fieldbook, "")) if (isEntry(each)) each.data.entry.price;': "'price'",
}
"""Lines that say what the contract does not, and what the compiler has to say about each."""
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
from generated.models import PlantCommand, PlantCommandType, ProblemAnswer

found = [each.name for each in pkgutil.walk_packages(generated.__path__, "generated.")]
for name in found:
    importlib.import_module(name)
print(len(found), PlantCommand(type_=PlantCommandType.PLANT, field=1).to_dict(), send_commands.sync.__name__)
"""
WARNING: Final = re.compile(r"[⚠🚨]|\bwarn|\bskipping\b|\bunsupported type", re.IGNORECASE)
"""What generators say of something that they passed over; those that are not told to fail for it end with 0."""
SECONDS: Final = 280


def run(*command: str | Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with these environment variables."""
    environment = {**os.environ, **QUIET, **variables}
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
def program(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A program that has our client installed, as it is packed: its folder, and what its compiler says."""
    assert NPM is not None
    folder = tmp_path_factory.mktemp("program")
    source = tmp_path_factory.mktemp("source")
    shutil.copy(CONTRACT, source)
    shutil.copytree(
        OUR_PACKAGE.parent, source / "replay", ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    programs = {"PATH": f"{packages}{os.pathsep}{os.environ['PATH']}"}
    packed = run(NPM, "pack", "--silent", "--pack-destination", folder, folder=source / "replay", **programs)
    assert packed.returncode == 0, packed.stdout + packed.stderr
    assert WARNING.search(packed.stdout + packed.stderr) is None, packed.stdout + packed.stderr
    (folder / "package.json").write_text('{"type": "module"}')
    options = ("--no-audit", "--no-fund", "--no-package-lock", "--offline", "--silent")
    installed = run(NPM, "install", *options, f"./{packed.stdout.splitlines()[-1]}", folder=folder)
    assert installed.returncode == 0, installed.stderr
    (folder / "node_modules" / "@types").symlink_to(packages.parent / "@types")
    shutil.copy(ROOT / "docs" / "examples" / "client.ts", folder)
    (folder / "wrong.ts").write_text("\n".join([*BEGINNING, *WRONG]))
    return folder, run(packages / "tsc", *STRICTEST, "client.ts", "wrong.ts", folder=folder).stdout


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Run web and store, for a client that was compiled."""
    with Service(tmp_path_factory.mktemp("service")) as running:
        running.start("store", "web")
        running.await_ready()
        yield running


def test_a_linter_finds_nothing(packages: Path, tmp_path: Path) -> None:
    """Redocly's recommended rules: no error, and no warning either."""
    linted = run(packages / "redocly", "lint", CONTRACT, folder=tmp_path)

    assert linted.returncode == 0, linted.stderr
    assert "Your API description is valid" in linted.stdout + linted.stderr
    assert "warning" not in linted.stdout.lower()


def test_the_example_in_typescript_compiles_and_plays(program: tuple[Path, str], service: Service) -> None:
    """In the strictest way, with the package as it is installed; it tells every entry once, and all of them hold."""
    folder, complaints = program
    assert [line for line in complaints.splitlines() if not line.startswith(("wrong.ts", " "))] == []

    address = f"http://127.0.0.1:{service.port}"
    played = run(node_program(), "client.js", address, service.key(), folder=folder)

    assert played.returncode == 0, played.stderr
    *told, refused, last = played.stdout.splitlines()
    assert [int(line.partition(":")[0]) for line in told] == [*range(1, len(told) + 1)]
    assert any("planted" in line for line in told)
    assert re.fullmatch(r"refused: \w+ \(Bohnanza.*\); \d+ are legal", refused), refused
    assert last.startswith(f"{len(told)} entries hold")


def test_a_program_that_gets_the_contract_wrong_does_not_compile(program: tuple[Path, str]) -> None:
    """The types say something: of paths, what they need, filters, bodies, answers and events."""
    found = dict.fromkeys(range(3, 3 + len(WRONG)), "")
    for line in program[1].splitlines():
        if line.startswith("wrong.ts("):
            found[int(line[len("wrong.ts(") :].partition(",")[0])] += line

    missing = {said for said, line in zip(WRONG.values(), found.values(), strict=True) if said not in line}
    assert missing == set(), program[1]


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
    said = generated.stdout + generated.stderr
    assert generated.returncode == 0, said
    assert WARNING.search(said) is None, said

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
