"""Other people's clients, with the kubeconfig of the fixture."""

import asyncio

import kr8s
import lightkube
import yaml
from kopf.testing import KopfRunner
from kubernetes import client
from kubernetes_asyncio import client as async_client
from kubernetes_asyncio import config as async_config
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.core_v1 import ConfigMap
from pytest_kubeloom import eventually


def test_kubernetes_asyncio(kubeloom):
    async def names():
        async with await async_config.new_client_from_config(config_file=kubeloom.kubeconfig) as api:
            return [item.metadata.name for item in (await async_client.CoreV1Api(api).list_namespace()).items]

    assert "default" in asyncio.run(names())


def test_lightkube(kubeloom):
    api = lightkube.Client(config=lightkube.KubeConfig.from_file(kubeloom.kubeconfig), namespace="default")
    api.create(ConfigMap(metadata=ObjectMeta(name="settings"), data={"size": "1"}))
    assert api.get(ConfigMap, "settings").data == {"size": "1"}


def test_kr8s(kubeloom):
    api = kr8s.api(kubeconfig=kubeloom.kubeconfig)
    assert "default" in [namespace.name for namespace in api.get("namespaces")]


OPERATOR = """
import kopf

@kopf.on.login()
def login(**kwargs):
    return kopf.login_with_kubeconfig(**kwargs)

@kopf.on.create("configmaps", labels={"fill": "yes"})
def fill(spec, patch, **_):
    patch["data"] = {"size": "1"}
"""


def test_kopf(kubeloom, tmp_path, monkeypatch):
    monkeypatch.setenv("KUBECONFIG", kubeloom.kubeconfig)
    operator = tmp_path / "operator.py"
    operator.write_text(OPERATOR)
    core = client.CoreV1Api(kubeloom.client())
    with KopfRunner(["run", "--namespace=default", "--standalone", str(operator)], timeout=60) as runner:
        body = yaml.safe_load("{metadata: {name: settings, labels: {fill: 'yes'}}}")
        core.create_namespaced_config_map("default", body)
        filled = eventually(
            lambda: core.read_namespaced_config_map("settings", "default"), lambda found: found.data == {"size": "1"}, timeout=30
        )
    assert filled.data == {"size": "1"}
    assert runner.exit_code == 0
