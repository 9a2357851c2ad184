from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .connection import Connection, ControlError
from .controls import RESOURCES, FaultPlanSpec, RequestLogReviewSpec, RequestRecord, SettledReviewSpec, SnapshotRestoreSpec
from .process import Process

if TYPE_CHECKING:
    from kubernetes.client import ApiClient

__all__ = ["ControlError", "Fault", "Server", "Snapshot", "eventually"]

GROUP_VERSION = "testing.kubeloom.dev/v1alpha1"

State = TypeVar("State")


def eventually(read: Callable[[], State], accept: Callable[[State], object] = bool, timeout: float = 4.0) -> State:
    """Returns the first state that is accepted.

    ``read`` and ``accept`` may raise, as ``assert`` does: that is not accepted.

    :param timeout: in seconds
    :raises AssertionError: with the last state, or from the last error
    """
    deadline = time.monotonic() + timeout
    while True:
        error: Exception | None = None
        state: State | None = None
        try:
            state = read()
            if accept(state):
                return state
        except Exception as raised:  # noqa: BLE001
            error = raised
        if time.monotonic() > deadline:
            last = f"the last error: {error!r}" if error else f"the last state: {state!r}"
            raise AssertionError(f"not accepted within {timeout:g} s; {last}") from error
        time.sleep(0.01)


class Server:
    """A running API server, or a fork of one."""

    def __init__(self, kubeconfig: Path, close: Callable[[], None]) -> None:
        #: The path of the administrator's kubeconfig, for any client.
        self.kubeconfig = str(kubeconfig)
        self._close = close
        self._connection = Connection(kubeconfig.read_text())
        self.clock = Clock(self)
        self.faults = Faults(self)

    @classmethod
    def start(cls, *flags: str) -> Server:
        """Starts a server.

        :param flags: those of ``kubeloom serve``, as ``--clock=manual``
        :raises RuntimeError: with the output of a server that has not started
        """
        process = Process(flags)
        return cls(process.kubeconfig, process.close)

    def close(self) -> None:
        """Ends the server."""
        self._close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return self._connection.server

    def client(self) -> ApiClient:
        """Returns a client of the package kubernetes."""
        from kubernetes import config

        load: Any = config.new_client_from_config  # not typed by all versions
        client: ApiClient = load(config_file=self.kubeconfig)
        return client

    def fork(self, snapshot: str | None = None) -> Server:
        """Starts a server with the same objects, or those of a snapshot. They are shared until one of the two changes them."""
        fork = self.create("ServerFork", {} if snapshot is None else {"snapshot": snapshot}, generate_name="fork-")
        name = fork["metadata"]["name"]
        file = Path(self.kubeconfig).with_name(f"{name}-{time.monotonic_ns()}.kubeconfig")
        file.touch(mode=0o600)
        file.write_text(fork["status"]["kubeconfig"])

        def close() -> None:
            file.unlink(missing_ok=True)
            self.delete("ServerFork", name)

        return Server(file, close)

    def reset(self) -> None:
        """Makes all objects what they were when the server became ready."""
        self.create("SnapshotRestore", {})

    def snapshot(self) -> Snapshot:
        """Keeps the state of all objects."""
        created = self.create("Snapshot", None, generate_name="snapshot-")
        return Snapshot(self, created["metadata"]["name"], created["status"]["objects"])

    def restore(self, snapshot: str, spec: SnapshotRestoreSpec | None = None) -> None:
        """Makes all objects what they were when the snapshot was taken."""
        self.create("SnapshotRestore", {**(spec or {}), "snapshot": snapshot})

    def settled(self, *controllers: str, quiet: str | None = None, timeout: str | None = None) -> None:
        """Returns when nothing is under way.

        :param controllers: user names or user agents, as ``my-operator/*``; all clients by default
        :raises AssertionError: with the reason
        """
        spec: SettledReviewSpec = {}
        if controllers:
            spec["controllers"] = list(controllers)
        if quiet is not None:
            spec["quiet"] = quiet
        if timeout is not None:
            spec["timeout"] = timeout
        status = self.create("SettledReview", spec).get("status", {})
        if not status.get("settled"):
            raise AssertionError(f"not settled: {status.get('reason', '')}")

    def requests(self, spec: RequestLogReviewSpec | None = None) -> list[RequestRecord]:
        """Returns the requests to the server, oldest first."""
        return self.create("RequestLogReview", spec or {}).get("status", {}).get("items", [])  # type: ignore[no-any-return]

    def timeline(self, since: int | None = None) -> str:
        """Returns the requests to the server, a line for each."""
        return "\n".join(_line(record) for record in self.requests({} if since is None else {"since": since}))

    def create(self, kind: str, spec: Any, generate_name: str | None = None) -> dict[str, Any]:
        """Creates an object of testing.kubeloom.dev."""
        body: dict[str, Any] = {"apiVersion": GROUP_VERSION, "kind": kind, "metadata": {}}
        if generate_name is not None:
            body["metadata"]["generateName"] = generate_name
        if spec is not None:
            body["spec"] = spec
        return self._connection.send("POST", f"/apis/{GROUP_VERSION}/{RESOURCES[kind]}", body)

    def get(self, kind: str, name: str) -> dict[str, Any]:
        """Returns an object of testing.kubeloom.dev."""
        return self._connection.send("GET", f"/apis/{GROUP_VERSION}/{RESOURCES[kind]}/{name}")

    def delete(self, kind: str, name: str) -> None:
        """Deletes an object of testing.kubeloom.dev."""
        self._connection.send("DELETE", f"/apis/{GROUP_VERSION}/{RESOURCES[kind]}/{name}")


def _line(record: RequestRecord) -> str:
    parts: Sequence[str] = [record.get(part, "") for part in ("resource", "namespace", "name")]  # type: ignore[misc]
    what = " ".join(part for part in parts if part) if record.get("resource") else record.get("url", "")
    moment = record.get("time", "")[11:23]
    return f"{moment} {record.get('code', ''):>3} {record.get('verb', ''):<6} {what} ({record.get('userAgent', '')})"


class Snapshot:
    """A kept state of all objects."""

    def __init__(self, server: Server, name: str, objects: int) -> None:
        self._server = server
        self.name = name
        #: How many objects it has.
        self.objects = objects

    def restore(self) -> None:
        self._server.restore(self.name)

    def remove(self) -> None:
        self._server.delete("Snapshot", self.name)


class Clock:
    """The clock of a server with ``--clock=manual``."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def advance(self, duration: str) -> datetime:
        """Lets time pass, and returns the new time. All that is due happens before.

        :param duration: as ``5m`` or ``1h30m``
        """
        now: str = self._server.create("ClockAdvance", {"duration": duration})["status"]["now"]
        return datetime.fromisoformat(now.replace("Z", "+00:00"))


class Faults:
    """The faults of a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._added: list[Fault] = []

    def add(self, spec: FaultPlanSpec) -> Fault:
        """Makes requests fail until the fault is removed, by the fixture at the end of the test."""
        fault = Fault(self._server, self._server.create("FaultPlan", spec, generate_name="fault-")["metadata"]["name"])
        self._added.append(fault)
        return fault

    def clear(self) -> None:
        """Removes all faults that were added here."""
        while self._added:
            self._added.pop().remove()


class Fault:
    """Makes requests fail."""

    def __init__(self, server: Server, name: str) -> None:
        self._server = server
        self.name = name

    @property
    def hits(self) -> int:
        """How many requests have failed."""
        return int(self._server.get("FaultPlan", self.name).get("status", {}).get("hits", 0))

    def wait_for_hits(self, hits: int, timeout: float = 4.0) -> None:
        """Returns when so many requests have failed."""
        eventually(lambda: self.hits, lambda now: now >= hits, timeout)

    def remove(self) -> None:
        """Ends the fault. A second time does nothing."""
        try:
            self._server.delete("FaultPlan", self.name)
        except ControlError as error:
            if error.status.get("code") != 404:
                raise
