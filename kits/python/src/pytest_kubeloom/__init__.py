"""Kubeloom, a Kubernetes-compatible API server, in tests: the fixture ``kubeloom``, or ``Server.start()`` without pytest."""

from .process import command
from .server import ControlError, Fault, Server, Snapshot, eventually

__all__ = ["ControlError", "Fault", "Server", "Snapshot", "command", "eventually"]
