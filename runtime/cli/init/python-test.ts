import { join } from 'node:path';
import type { Template } from './template.ts';

export const python: Template = {
  name: 'python',
  about: 'a test of an operator, with pytest',
  files: () => ({ 'test_operator.py': pythonTest }),
  commands: ({ kits }) => [
    ...(kits === undefined ? [] : [`make -C ${join(kits, '..')} wheel`]),
    `pip install ${kits === undefined ? '' : `--find-links ${join(kits, '../executables')} `}pytest-kubeloom kubernetes`,
    'pytest',
  ],
  document: 'kits/python/README.md',
};

const pythonTest = `import pytest
from kubernetes.client import ApiException, CoreV1Api
from pytest_kubeloom import eventually

SETTINGS = {"metadata": {"name": "settings"}, "data": {"size": "1"}}

# The fixture \`kubeloom\` is one server for the session. Each test begins with the objects of a new cluster.


def test_a_config_map_is_stored(kubeloom):
    # Start your operator with kubeloom.kubeconfig, the path of a kubeconfig.
    core = CoreV1Api(kubeloom.client())
    core.create_namespaced_config_map("default", SETTINGS)
    # waits until the object is as expected, for example after the operator has changed it
    eventually(lambda: core.read_namespaced_config_map("settings", "default"), lambda found: found.data == {"size": "1"})


def test_a_forbidden_write_fails(kubeloom):
    kubeloom.faults.add({
        "match": {"verbs": ["create"], "resources": ["configmaps"]},
        "occurrence": {"count": 1},
        "fault": {"status": {"code": 403}},
    })
    with pytest.raises(ApiException) as refusal:
        CoreV1Api(kubeloom.client()).create_namespaced_config_map("default", SETTINGS)
    assert refusal.value.status == 403
`;
