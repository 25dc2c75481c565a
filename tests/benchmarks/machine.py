"""The machine that figures were measured on. It names no host, user or folder."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from service.server.store_process import server_program

LIBRARIES = ("msgspec", "flask", "uvicorn", "httptools", "uvloop", "gunicorn", "redis", "hiredis")
_CPU_INFORMATION = Path("/proc/cpuinfo")
_MEMORY_INFORMATION = Path("/proc/meminfo")
_UNKNOWN = "unknown"


def machine() -> dict[str, str]:
    """Return what this machine is and the versions that run on it; the load is that before the measurement."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}, {platform.machine()}",
        "load": f"{os.getloadavg()[0]:.1f} processes ready to run, over the last minute",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "libraries": ", ".join(filter(None, map(_library, LIBRARIES))),
        "store": _store(),
    }


def _processor() -> str:
    return _line_of(_CPU_INFORMATION, "model name") or platform.processor() or _UNKNOWN


def _memory() -> str:
    kilobytes = _line_of(_MEMORY_INFORMATION, "MemTotal").removesuffix(" kB")
    return f"{int(kilobytes) / 2**20:.0f} GiB" if kilobytes else _UNKNOWN


def _line_of(path: Path, name: str) -> str:
    if not path.exists():
        return ""
    lines = (line.partition(":") for line in path.read_text(encoding="utf-8").splitlines())
    return next((value.strip() for found, _, value in lines if found.strip() == name), "")


def _library(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return ""


def _store() -> str:
    """Return the version of the embedded store, such as `Valkey server v=8.1.4`."""
    program = server_program()
    if program is None:
        return _UNKNOWN
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return said.partition(" sha=")[0].strip() or _UNKNOWN
