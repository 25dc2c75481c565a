"""The units, as systemd reads them: in a root of their own, with the drop-in of all of them in its place."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.startup.store_opening import START_SECONDS
from service.storage.heartbeats import PROCESSES
from service.worker import ABANDONED_SECONDS
from tests.deploy.files import DEPLOY, EVERY_PROCESS, ROOT, SETTINGS, Unit, command

UNITS = DEPLOY / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
MOST_EXPOSED = "12"
"""Of 100, as `systemd-analyze security` counts: 12 is 1.2, of which half is the network that a service is for."""
HANDED_IN = (
    "basic.target",
    "shutdown.target",
    "sysinit.target",
    "network-online.target",
    "multi-user.target",
)
"""Units of systemd itself that ours name."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root in which the units are installed and their programs seem to be there."""
    units = tmp_path / "etc" / "systemd" / "system"
    shutil.copytree(UNITS, units)
    for name in HANDED_IN:
        (units / name).write_text("[Unit]\n")
    for program in ("opt/fieldbook/bin/python", "opt/fieldbook/bin/fieldbook", "bin/sh"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).touch(mode=0o755)
    (tmp_path / "etc" / "passwd").write_text("root:x:0:0::/:/bin/sh\nfieldbook:x:990:990::/:/bin/sh\n")
    (tmp_path / "etc" / "group").write_text("root:x:0:\nfieldbook:x:990:\n")
    return tmp_path


def analyze(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What systemd says of units in a root."""
    return subprocess.run(
        ["systemd-analyze", *arguments, f"--root={root}"],
        cwd=root / "etc" / "systemd" / "system",
        capture_output=True,
        text=True,
        check=False,
    )


def test_systemd_understands_every_line(root: Path) -> None:
    """And says so where it does not."""
    names = [
        path.name for path in UNITS.glob("fieldbook*.*") if path.suffix in {".service", ".target", ".timer"}
    ]
    done = analyze(root, "verify", "--man=no", *names)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    drop_in = root / "etc" / "systemd" / "system" / "fieldbook-.service.d" / "hardening.conf"
    drop_in.write_text(drop_in.read_text().replace("PrivateTmp=", "PrivateTemp="))
    assert "'PrivateTemp'" in analyze(root, "verify", "--man=no", "fieldbook-web.service").stderr


@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.stem)
def test_no_service_may_more_than_it_needs(root: Path, unit: Path) -> None:
    """As systemd itself counts; without the drop-in each would be exposed by more than nine of ten points."""
    secure = ("security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}", unit.name)
    done = analyze(root, *secure)
    assert done.returncode == 0, done.stdout
    shutil.rmtree(root / "etc" / "systemd" / "system" / "fieldbook-.service.d")
    assert analyze(root, *secure).returncode != 0


@pytest.mark.parametrize("name", EVERY_PROCESS)
def test_each_process_has_a_unit_with_its_command_its_place_and_time_to_end(name: str) -> None:
    """Its limit stands in docs/operating.md, and a unit that is killed before would make it a lie."""
    unit = Unit(UNITS / f"fieldbook-{name}.service")
    service = unit["Service"]
    nice = ["nice", "-n", service["Nice"]] if "Nice" in service else []
    assert [*nice, *service["ExecStart"].replace("/opt/fieldbook/bin/", "").split()] == command(name)
    # Between units a priority may say nothing; the weight is what the kernel makes of it (1.25 for each step).
    assert service.get("CPUWeight") == (str(round(100 / 1.25 ** int(nice[2]))) if nice else None)
    assert unit["Unit"]["PartOf"] == unit["Install"]["WantedBy"] == "fieldbook.target"
    assert name == "store" or "fieldbook-store.service" in unit["Unit"]["After"]
    assert f"fieldbook-{name}.service" in (UNITS / "fieldbook.target").read_text()
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8").partition("### How they end")[2]
    (limit,) = re.findall(rf"^\| `{name}` \| (\d+) s \|", text, re.MULTILINE)
    assert int(service["TimeoutStopSec"]) > int(limit)


def test_only_who_notifies_says_that_it_does() -> None:
    """The HTTP interface tells systemd when it listens, and those that nobody can ask that their loops turn."""
    services = {path.stem.removeprefix("fieldbook-"): Unit(path)["Service"] for path in SERVICES}
    assert [name for name, service in services.items() if service["Type"] == "notify"] == ["web"]
    watched = {name for name, service in services.items() if "WatchdogSec" in service}
    assert watched == {"worker", *PROCESSES}
    # Twice the time for which a process waits for the store when it starts, before its loop begins, and what the
    # slowest sign of an RQ worker takes, is still long before it.
    assert all(int(services[name]["WatchdogSec"]) > 2 * START_SECONDS + ABANDONED_SECONDS for name in watched)


def test_each_setting_is_one_that_the_program_reads() -> None:
    """In the example of the environment and in the drop-in, where Python's own stand as well."""
    names = re.findall(r"^#?([A-Z_]+)=", (UNITS / "fieldbook.env").read_text(), re.MULTILINE)
    assert set(names) <= SETTINGS
    drop_in = Unit(UNITS / "fieldbook-.service.d" / "hardening.conf")["Service"]["Environment"]
    assert {name for name in re.findall(r"([A-Z_]+)=", drop_in) if not name.startswith("PYTHON")} <= SETTINGS
