from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from .server import Server

_server = pytest.StashKey[Server]()
_since = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("kubeloom_flags", "Flags of kubeloom serve.", type="args", default=[])
    parser.addini("kubeloom_isolation", "What each test begins with: reset (default), fork or none.", default="reset")


@pytest.fixture(scope="session")
def kubeloom_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """The server of the session, with the flags of ``kubeloom_flags``. Objects made by session fixtures last until the first reset."""
    with Server.start(*pytestconfig.getini("kubeloom_flags")) as server:
        yield server


@pytest.fixture
def kubeloom(kubeloom_server: Server, request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> Iterator[Server]:
    """An API server with the objects of a new cluster: the session's, reset, or a fork of it."""
    isolation = pytestconfig.getini("kubeloom_isolation")
    if isolation not in ("reset", "fork", "none"):
        raise pytest.UsageError(f"kubeloom_isolation: {isolation!r} is not reset, fork or none")
    server = kubeloom_server.fork() if isolation == "fork" else kubeloom_server
    if isolation == "reset":
        server.reset()
    earlier = server.requests()
    request.node.stash[_since] = earlier[-1]["sequence"] if earlier else 0
    request.node.stash[_server] = server
    try:
        yield server
    finally:
        server.faults.clear()
        if server is not kubeloom_server:
            server.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the requests of a failed test to its report."""
    report = yield
    if report.when == "call" and report.failed and _server in item.stash:
        timeline = item.stash[_server].timeline(item.stash[_since])
        report.sections.append(("requests to kubeloom", timeline or "none"))
    return report
