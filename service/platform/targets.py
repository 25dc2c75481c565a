"""Where files go that outlive the store: a folder, S3, or whatever else fsspec reaches.

Every file is written whole or not at all under its name. In a folder that takes a second name, an fsync and a rename;
an object store does it by itself.
"""

import os
import secrets
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from service.platform.configuration import without_password

PARTIAL: Final = ".partial"
"""Ends the name of a file that was not finished."""
_PATIENCE: Final = {
    "s3": {"config_kwargs": {"connect_timeout": 3, "read_timeout": 10, "retries": {"max_attempts": 2}}}
}
"""What is set for a protocol unless the options say otherwise: nobody waits a minute for an answer."""
_T = TypeVar("_T")


class TargetUnavailable(Exception):
    """The target cannot be reached, or refuses; the message says which, and why."""


class FileMissing(Exception):
    """The target can be reached, and has no such file."""


class BadTarget(Exception):
    """An address or its options cannot be understood; the message says what to do."""


class Target:
    """A place for files. Every method may raise TargetUnavailable."""

    def __init__(self, address: str, options: dict[str, Any] | None = None) -> None:
        """Prepare for an address such as `file:///srv/archive` or `s3://bucket/prefix`; connects when it is used."""
        self._address = address
        self.address = without_password(address)
        """The address as it may be shown."""
        self._options = options or {}

    @cached_property
    def _place(self) -> tuple[Any, str]:
        import fsspec  # noqa: PLC0415 - most processes start without a target, and sooner without this

        protocol = fsspec.utils.get_protocol(self._address)
        options = {**_PATIENCE.get(protocol, {}), **self._options}
        filesystem, root = fsspec.url_to_fs(self._address, **options)
        return filesystem, str(root).rstrip("/")

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            FileMissing
        """

        def read(filesystem: Any, root: str) -> bytes:
            content: bytes = filesystem.cat_file(f"{root}/{name}")
            return content

        return self._done(read, name)

    def write(self, name: str, content: bytes) -> None:
        """Write a file; when this returns it is there whole, and stays."""

        def write(filesystem: Any, root: str) -> None:
            if _is_local(filesystem):
                _write_locally(Path(root) / name, content)
            else:
                filesystem.pipe_file(f"{root}/{name}", content)

        try:
            self._done(write, name)
        except (FileMissing, TargetUnavailable) as error:
            raise TargetUnavailable(f"{name} cannot be written: {error}") from error

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; one that is not there is no matter."""

        def remove(filesystem: Any, root: str) -> None:
            for name in names:
                if filesystem.exists(f"{root}/{name}"):
                    filesystem.rm_file(f"{root}/{name}")

        self._done(remove, "")

    def names(self) -> dict[str, int]:
        """The names of all files and their sizes in bytes; empty where nothing was written yet."""

        def names(filesystem: Any, root: str) -> dict[str, int]:
            filesystem.invalidate_cache()
            found = filesystem.find(root, detail=True)
            return {path[len(root) + 1 :]: int(about["size"]) for path, about in sorted(found.items())}

        try:
            return self._done(names, "")
        except FileMissing:
            return {}

    def is_there(self) -> bool:
        """Whether the folder or bucket itself exists: one that was not mounted is missing, not empty."""

        def is_there(filesystem: Any, root: str) -> bool:
            filesystem.invalidate_cache()
            local = _is_local(filesystem)
            return bool(filesystem.exists(root if local else root.partition("/")[0]))

        return self._done(is_there, "")

    def _done(self, work: Callable[[Any, str], _T], name: str) -> _T:
        try:
            return work(*self._place)
        except FileNotFoundError as error:
            raise FileMissing(f"{self.address} has no file {name}") from error
        except Exception as error:  # each file system has exceptions of its own, and few are OSErrors
            reason = f"{type(error).__name__}: {error}".replace(self._address, self.address)
            raise TargetUnavailable(f"{self.address} cannot be used: {reason}") from error


def open_target(address: str, options: str = "") -> Target:
    """The target at an address, with options for its file system as a JSON object.

    Raises:
        BadTarget
    """
    try:
        decoded = msgspec.json.decode(options or "{}", type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise BadTarget(
            f"The options of {without_password(address)} are no JSON object ({error}). An example: "
            '{"endpoint_url": "https://s3.example"}'
        ) from error
    import fsspec  # noqa: PLC0415 - as above

    protocol = fsspec.utils.get_protocol(address)
    try:
        fsspec.get_filesystem_class(protocol)
    except (ImportError, ValueError) as error:
        raise BadTarget(
            f"{without_password(address)} cannot be used: {error}. For s3:// install 'fieldbook[s3]', or in a"
            " checkout requirements/s3.txt."
        ) from error
    return Target(address if "://" in address else str(Path(address).absolute()), decoded)


def _is_local(filesystem: Any) -> bool:
    from fsspec.implementations.local import LocalFileSystem  # noqa: PLC0415 - as above

    return isinstance(filesystem, LocalFileSystem)


def write_private(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may read; when this returns it is on the disk.

    Raises:
        OSError: it is there already, or cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _write_locally(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        write_private(partial, content)
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
