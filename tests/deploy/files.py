"""The files of `deploy/` as values, and what all of them are held to: the processes and settings that there are."""

import configparser
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from service.platform.configuration import VARIABLES
from service.startup.processes import PROGRAMS, STORE

ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
SETTINGS: Final = {variable.name for variable in VARIABLES}
PROCESSES: Final = dict(PROGRAMS)
"""By name, without the store, whose place a Valkey takes where each process has a container of its own."""
EVERY_PROCESS: Final = {"store": STORE, **PROGRAMS}


class Unit(configparser.ConfigParser):
    """A unit as a value; where a setting stands twice, the last one counts."""

    def __init__(self, path: Path) -> None:
        """Read it."""
        super().__init__(interpolation=None, strict=False)
        self.read_string(path.read_text(encoding="utf-8"))

    def optionxform(self, optionstr: str) -> str:
        """Keep names as they are written."""
        return optionstr


def command(name: str) -> list[str]:
    """The command of a process, with the Python that is found where it runs."""
    return ["python" if part == sys.executable else part for part in EVERY_PROCESS[name].command()]


def compose(name: str = "compose.yaml") -> dict[str, Any]:
    """A compose file."""
    return dict(yaml.safe_load((DEPLOY / "compose" / name).read_text(encoding="utf-8")))


def manifests() -> list[dict[str, Any]]:
    """Every manifest that the kustomization names, in its order."""
    folder = DEPLOY / "kubernetes"
    named = yaml.safe_load((folder / "kustomization.yaml").read_text(encoding="utf-8"))["resources"]
    files = [folder / each for each in named if not (folder / each).is_dir()]
    return [each for file in files for each in yaml.safe_load_all(file.read_text(encoding="utf-8"))]


def workloads() -> dict[str, Mapping[str, Any]]:
    """What runs pods, by name."""
    return {
        each["metadata"]["name"]: each
        for each in manifests()
        if each["kind"] in {"Deployment", "StatefulSet"}
    }


def pod(workload: Mapping[str, Any]) -> Mapping[str, Any]:
    """The specification of a workload's pods."""
    found: Mapping[str, Any] = workload["spec"]["template"]["spec"]
    return found


def containers(workload: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The containers of a workload's pods, those that come first too."""
    yield from pod(workload).get("initContainers", [])
    yield from pod(workload)["containers"]
