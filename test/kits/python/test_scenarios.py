"""The scenarios that all kits share. Each function is one of scenarios.txt."""

import threading
from pathlib import Path

import pytest
from kubernetes import client
from kubernetes.client.exceptions import ApiException
from pytest_kubeloom import ControlError, Server, eventually

LINES = Path(__file__).with_name("scenarios.txt").read_text().splitlines()
NAMES = [line.split(":")[0] for line in LINES]

CONFLICT = {"match": {"verbs": ["create"], "resources": ["configmaps"]}, "fault": {"status": {"code": 409}}}
CREATES = {"match": {"verbs": ["create"], "resources": ["configmaps"], "namespaces": ["default"]}}


def core(server):
    return client.CoreV1Api(server.client())


def create(server, name):
    return core(server).create_namespaced_config_map("default", {"metadata": {"name": name}})


def names(server):
    found = [item.metadata.name for item in core(server).list_namespaced_config_map("default").items]
    return sorted(name for name in found if name != "kube-root-ca.crt")


def later(action):
    threading.Thread(target=action, daemon=True).start()


class Scenarios:
    def start_serves(self, server):
        assert core(server).read_namespace("default").metadata.name == "default"

    def kubeconfig_works(self, server):
        from kubernetes import config

        other = config.new_client_from_config(config_file=server.kubeconfig)
        assert client.CoreV1Api(other).read_namespace("default")

    def flags_are_passed(self, server):
        with Server.start("--kubernetes-version=1.33") as other:
            assert client.VersionApi(other.client()).get_code().minor == "33"

    def close_ends(self, server):
        other = Server.start()
        connection = core(other)
        connection.api_client.configuration.retries = False
        other.close()
        with pytest.raises(Exception):
            client.CoreV1Api(client.ApiClient(connection.api_client.configuration)).read_namespace("default")

    def start_fails_with_output(self, server):
        with pytest.raises(RuntimeError, match="--storage"):
            Server.start("--storage=paper")

    def missing_executable_is_explained(self, server, monkeypatch):
        monkeypatch.setattr("pytest_kubeloom.process.BUNDLED", Path("/nowhere"))
        monkeypatch.delenv("KUBELOOM", raising=False)
        monkeypatch.setenv("PATH", "/nowhere")
        with pytest.raises(FileNotFoundError, match="KUBELOOM"):
            Server.start()

    def reset_undoes(self, server):
        create(server, "settings")
        server.reset()
        assert names(server) == []

    def snapshot_counts(self, server):
        before = server.snapshot()
        create(server, "settings")
        assert server.snapshot().objects == before.objects + 1

    def restore_brings_back(self, server):
        create(server, "settings")
        snapshot = server.snapshot()
        core(server).delete_namespaced_config_map("settings", "default")
        snapshot.restore()
        assert names(server) == ["settings"]

    def restore_needs_snapshot(self, server):
        with pytest.raises(ControlError, match="unknown"):
            server.restore("unknown")

    def fork_has_objects(self, server):
        create(server, "settings")
        with server.fork() as fork:
            assert names(fork) == ["settings"]

    def fork_is_apart(self, server):
        with server.fork() as fork:
            create(server, "origin")
            create(fork, "fork")
            assert (names(server), names(fork)) == (["origin"], ["fork"])

    def fork_of_snapshot(self, server):
        create(server, "before")
        snapshot = server.snapshot()
        create(server, "after")
        with server.fork(snapshot.name) as fork:
            assert names(fork) == ["before"]

    def closed_fork_ends(self, server):
        fork = server.fork()
        connection = core(fork)
        fork.close()
        with pytest.raises(Exception):
            connection.read_namespace("default")
        create(server, "settings")

    def clock_advances(self, server):
        first = server.clock.advance("1s")
        assert (server.clock.advance("5m") - first).total_seconds() == 300

    def clock_needs_manual(self, server):
        with Server.start() as other, pytest.raises(ControlError, match="clock"):
            other.clock.advance("1s")

    def fault_fails_requests(self, server):
        server.faults.add(CONFLICT)
        with pytest.raises(ApiException) as raised:
            create(server, "settings")
        assert raised.value.status == 409

    def fault_spares_others(self, server):
        fault = server.faults.add(CONFLICT)
        assert names(server) == []
        assert fault.hits == 0

    def fault_ends_after_count(self, server):
        server.faults.add({**CONFLICT, "occurrence": {"count": 1}})
        with pytest.raises(ApiException):
            create(server, "settings")
        create(server, "settings")

    def fault_waits_for_hits(self, server):
        fault = server.faults.add({**CONFLICT, "occurrence": {"count": 1}})
        later(lambda: pytest.raises(ApiException, create, server, "settings"))
        fault.wait_for_hits(1, timeout=30)
        assert fault.hits == 1

    def removed_fault_is_over(self, server):
        server.faults.add(CONFLICT).remove()
        create(server, "settings")

    def wrong_fault_is_refused(self, server):
        with pytest.raises(ControlError, match='"pods"'):
            server.faults.add({"match": {"resources": ["podz"]}, "fault": {"status": {"code": 409}}})

    def requests_have_codes(self, server):
        api = core(server)
        api.api_client.user_agent = "my-operator/1"
        with pytest.raises(ApiException):
            api.read_namespaced_config_map("missing", "default")
        [found] = server.requests({"match": {"userAgents": ["my-operator/*"]}})
        assert (found["code"], found["userAgent"]) == (404, "my-operator/1")

    def requests_match(self, server):
        create(server, "settings")
        names(server)
        assert len(server.requests(CREATES)) == 1

    def requests_since(self, server):
        create(server, "first")
        [first] = server.requests(CREATES)
        create(server, "second")
        assert len(server.requests({**CREATES, "since": first["sequence"]})) == 1

    def settled_when_idle(self, server):
        server.settled(quiet="20ms", timeout="30s")

    def unsettled_without_controller(self, server):
        with pytest.raises(AssertionError, match="nobody"):
            server.settled("nobody/*", quiet="10ms", timeout="50ms")

    def eventually_waits(self, server):
        later(lambda: create(server, "settings"))
        assert eventually(lambda: names(server), timeout=30) == ["settings"]

    def eventually_fails(self, server):
        with pytest.raises(AssertionError, match="still small"):
            eventually(lambda: "still small", lambda state: state == "large", timeout=0.05)

    def timeline_has_requests(self, server):
        create(server, "settings")
        assert "201 create configmaps default" in server.timeline()


@pytest.mark.parametrize("name", NAMES)
def test_scenario(name, kubeloom, monkeypatch):
    scenario = getattr(Scenarios(), name.replace("-", "_"))
    arguments = [monkeypatch] if name == "missing-executable-is-explained" else []
    scenario(kubeloom, *arguments)


def test_every_scenario_is_listed():
    assert len(NAMES) == len([name for name in vars(Scenarios) if not name.startswith("_")])
