"""The repository keeps its promises: pinned requirements, import contracts, one command for every machine."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from setuptools import find_packages

from service.startup.processes import PROGRAMS, STORE

ROOT = Path(__file__).parent.parent
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")
REQUIREMENTS = [
    ROOT / "requirements" / f"{name}.txt"
    for name in ("runtime", "s3", "analysts", "telemetry", "research", "development")
]
BESIDE = [ROOT / "requirements" / f"{name}.txt" for name in ("peers", "generators", "inspection")]
"""What environments of their own are made of."""
NOT_OURS = {"build", "data", "dist", "__pycache__"}

ADDRESS = re.compile(r"://|file:|\s@\s|^\s*-|/(?:home|opt|root|tmp|usr|var)/", re.MULTILINE)
REGISTRY = re.compile(r"--(?:extra-)?index-url|--find[-]links|--trusted[-]host|https?://\S+/simple\b")

RULES = "rules"
REPLAY = "replay"
EVENTS = "events"
BOTS = "bots"
DISPUTES = "disputes"
LAYERS = "packages"
TESTS = "tests"


def pinned(requirements: Path) -> dict[str, list[str]]:
    """Each pinned requirement of a compiled file, with its hashes."""
    lines = requirements.read_text().replace("\\\n", " ").splitlines()
    entries = [line for line in lines if line and not line.lstrip().startswith("#")]
    return {entry.split(" ")[0]: re.findall(r"--hash=sha256:[0-9a-f]{64}", entry) for entry in entries}


def own_files() -> Iterator[Path]:
    """Every text file of the repository, wherever it was unpacked."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if (name not in NOT_OURS and name[0] != ".") or name == ".ci"]
        for path in (Path(folder) / name for name in names):
            if path.is_file() and b"\0" not in path.read_bytes():
                yield path


def imported_by(package: str) -> set[str]:
    """The top-level packages that the modules below a package import, wherever in the module; its tests are none."""
    imported = set()
    for path in (path for path in (ROOT / package).rglob("*.py") if not path.name.startswith("test_")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
    return imported


def procfile() -> dict[str, str]:
    """The processes of the Procfile and their commands."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines)


def lint_imports(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Check the import contracts of the packages in a folder."""
    return subprocess.run(
        [LINT_IMPORTS, "--no-cache", "--no-logo", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("requirements", [*REQUIREMENTS, *BESIDE], ids=lambda path: path.name)
def test_every_requirement_is_pinned_to_one_version_and_to_hashes(requirements: Path) -> None:
    """An install gets the very files that were tested, or nothing."""
    entries = pinned(requirements)

    assert len(entries) > (3 if requirements in BESIDE else 20)
    for requirement, hashes in entries.items():
        assert "==" in requirement
        assert hashes, f"{requirement} has no hash"


@pytest.mark.parametrize("requirements", REQUIREMENTS[:-1], ids=lambda path: path.name)
def test_what_the_wheel_declares_is_bounded_by_what_is_tested(requirements: Path) -> None:
    """A dependency begins at the release that is pinned here, and ends below the next one that may break us.

    Some have no upper bound: calendar versions, and libraries used through one stable interface.
    """
    pins = [each.split("==") for each in pinned(requirements)]
    for line in requirements.with_suffix(".in").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        declared = re.match(r"([\w-]+)>=([\d.]+)(,<[\d.]+)?(?=\s|$)", line)
        assert declared, f"{line} has no bounds"
        name, least, most = declared.groups()
        assert most or name in {"cryptography", "fsspec", "s3fs", "setuptools"}, f"{line} has no upper bound"
        tested = [version for pin, version in pins if pin == name.lower().replace("_", "-")]
        assert name == "setuptools" or any(f"{each}.".startswith(f"{least}.") for each in tested), line


@pytest.mark.parametrize("requirements", [*REQUIREMENTS, *BESIDE], ids=lambda path: path.name)
def test_the_requirements_name_no_address(requirements: Path) -> None:
    """Where packages come from is the choice of the machine that installs them."""
    without_hashes = re.sub(r"--hash=\S+", "", requirements.read_text())
    without_origins = re.sub(r"#.*", "", without_hashes)

    assert not ADDRESS.search(without_origins)
    assert "://" not in without_hashes


def test_development_runs_on_the_very_versions_of_the_runtime() -> None:
    """What was tested is what is served."""
    runtime, *extras, development = map(pinned, REQUIREMENTS)

    for extra in extras:
        assert runtime.items() <= extra.items() <= development.items()


def test_no_file_names_a_package_registry() -> None:
    """Nor an option that points the installer to one."""
    files = list(own_files())
    naming = [
        str(path.relative_to(ROOT)) for path in files if REGISTRY.search(path.read_text("utf-8", "replace"))
    ]

    assert Path(__file__) in files
    assert naming == []


def test_the_import_contracts_hold() -> None:
    """Who may import whom is written in pyproject.toml."""
    answer = lint_imports(ROOT)

    assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize(
    ("importer", "imported", "contract"),
    [
        ("events/rules/decide.py", "redis", RULES),
        ("events/rules/decide.py", "flask", RULES),
        ("events/rules/decide.py", "random", RULES),
        ("events/rules/decide.py", "time", RULES),
        ("events/rules/decide.py", "events.store.event_store", RULES),
        ("events/clock.py", "datetime", RULES),
        ("events/rules/decide.py", "events.bots.driver", RULES),
        ("events/disputes/decide.py", "time", DISPUTES),
        ("events/disputes/decide.py", "events.game.table", DISPUTES),
        ("events/bots/driver.py", "time", BOTS),
        ("events/bots/driver.py", "events.store.event_store", BOTS),
        ("replay/verification/verify.py", "marshmallow", REPLAY),
        ("replay/verification/verify.py", "service.app", REPLAY),
        ("events/store/event_store.py", "redis", REPLAY),
        ("events/store/event_store.py", "replay.verification.verify", EVENTS),
        ("events/store/event_store.py", "service.app", EVENTS),
        ("replay/verification/verify.py", "service.app", LAYERS),
        ("events/store/event_store.py", "tests.benchmarks.command", TESTS),
        ("replay/verification/verify.py", "tests.benchmarks.command", TESTS),
        ("service/app.py", "tests.benchmarks.command", TESTS),
    ],
)
def test_a_forbidden_import_breaks_its_contract(
    tmp_path: Path, importer: str, imported: str, contract: str
) -> None:
    """Each contract catches what it is for, also when another module of ours lies in between."""
    small_tree = {
        "service/app.py": "import replay.verification.verify",
        "replay/verification/verify.py": "import events.store.event_store",
        "events/store/event_store.py": "",
        "events/store/redis/redis_store.py": "",
        "events/clock.py": "",
        "events/bots/driver.py": "",
        "events/rules/decide.py": "import events.clock",
        "events/disputes/decide.py": "",
        "events/game/table.py": "",
    }
    small_tree[importer] += f"\nimport {imported}"
    for name, source in small_tree.items():
        module = tmp_path / name
        module.parent.mkdir(parents=True, exist_ok=True)
        for package in module.relative_to(tmp_path).parents[:-1]:
            (tmp_path / package / "__init__.py").touch()
        module.write_text(source)
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())

    answer = lint_imports(tmp_path, "--contract", contract)

    assert "0 kept, 1 broken" in answer.stdout, answer.stdout + answer.stderr
    assert answer.returncode == 1


def test_the_rules_need_the_standard_library_and_one_struct_library() -> None:
    """The contract above forbids by name; this allows by name."""
    imported = imported_by("events/rules")

    assert "msgspec" in imported
    assert imported <= sys.stdlib_module_names | {"events", "msgspec"}


@pytest.mark.parametrize("package", ["events", "service", "replay", "tests/benchmarks"])
def test_what_runs_imports_only_the_runtime_requirements(package: str) -> None:
    """`make run` installs nothing else, and what another package happens to bring may be gone tomorrow.

    What analysts and researchers may install besides is imported by the replay tools where it is asked for, and tests
    there say so; and by the curves of the benchmarks. So is what records traces by the service, only where they are
    switched on.
    What is measured beside us is imported only by scripts that an environment of its own runs. A page is measured in
    a browser, which only the environment of the tests can drive.
    """
    files = [
        "runtime.in",
        *{
            "replay": ["analysts.in", "research.in"],
            "service": ["telemetry.in"],
            "tests/benchmarks": ["analysts.in", "peers.in"],
        }.get(package, []),
    ]
    asked_for = "\n".join((ROOT / "requirements" / name).read_text() for name in files)
    runtime = {name.lower() for name in re.findall(r"^[\w-]+", asked_for, re.MULTILINE)}
    distributions = packages_distributions()
    foreign = imported_by(package) - sys.stdlib_module_names - {"events", "service", "replay", "tests"}

    if package == "tests/benchmarks":
        foreign -= {"playwright"}
        foreign = {{"pyspiel": "open-spiel"}.get(name, name) for name in foreign}  # as it is asked for

    unasked = [name for name in foreign if not {d.lower() for d in distributions.get(name, [name])} & runtime]
    assert unasked == []


def test_the_package_carries_its_data_files() -> None:
    """Catalogues and server functions are read as files, so they must be installed as files."""
    package_data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    packages = {
        init.parent for top in ("events", "service", "replay") for init in (ROOT / top).rglob("__init__.py")
    }
    carried = {
        path
        for named, patterns in package_data.items()
        for package in packages
        if named in {"*", package.relative_to(ROOT).as_posix().replace("/", ".")}
        for pattern in patterns
        for path in package.glob(pattern)
    }
    data_files = {
        path
        for top in ("events", "service", "replay")
        for path in (ROOT / top).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"} and path.name != "README.md"
    }

    assert data_files
    assert data_files <= carried


def test_the_package_for_javascript_is_of_the_same_version() -> None:
    """It has no dependencies, and nothing in it imports what is not in it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    package = json.loads((ROOT / "replay" / "package.json").read_text())
    packed = {path for pattern in package["files"] for path in (ROOT / "replay").glob(pattern)}
    imported = {
        (path.parent / name).resolve() if name.startswith(".") else name
        for path in packed
        if path.suffix in {".js", ".mjs"}
        for name in re.findall(r'^(?:import|export) [^"]*from "([^"]+)";$', path.read_text(), re.MULTILINE)
    }

    assert package["version"] == project["version"]
    assert package["license"] == project["license"]
    assert "dependencies" not in package
    assert {each for each in imported - packed if not str(each).startswith("node:")} == set()


def test_neither_tests_nor_benchmarks_are_installed() -> None:
    """A wheel has the packages that run, and nothing that measures or checks them."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]

    packages = find_packages(str(ROOT), include=found["include"])

    assert {package.partition(".")[0] for package in packages} == {"events", "replay", "service"}


def test_continuous_integration_runs_everything_with_one_command() -> None:
    """What passes there passes on every machine with the same command, which leaves no test out."""
    run = ROOT / ".ci" / "run"
    makefile = (ROOT / "Makefile").read_text()

    assert os.access(run, os.X_OK)
    assert run.read_text().splitlines()[-1] == "exec make everything"
    assert "\neverything: check\n\t$(python) -m pytest $(in_parallel)\n" in makefile


def test_the_procfile_says_what_an_installation_runs() -> None:
    """`fieldbook up` has no Procfile where it was installed; other process managers have nothing else."""
    programs = {"store": STORE, **PROGRAMS}
    assert list(procfile()) == list(programs)
    for name, program in programs.items():
        *priority, _, _, _, module = program.command()
        assert procfile()[name].split() == [*priority, "python", "-m", module]


@pytest.mark.parametrize("process", procfile())
def test_every_process_of_the_procfile_exists(process: str) -> None:
    """Each is a module that Python can run; those for which nobody waits at a table may give way to the others."""
    *priority, python, option, module = procfile()[process].split()
    path = ROOT / module.replace(".", "/")

    assert (python, option) == ("python", "-m")
    assert priority[:2] in ([], ["nice", "-n"])
    assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
