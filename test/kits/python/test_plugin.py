"""What the plugin does around tests."""

pytest_plugins = ["pytester"]

FAILING = """
from kubernetes import client

def test_fails(kubeloom):
    core = client.CoreV1Api(kubeloom.client())
    core.create_namespaced_config_map("default", {"metadata": {"name": "settings"}})
    core.list_namespace()
    assert False

def test_begins_anew(kubeloom):
    found = client.CoreV1Api(kubeloom.client()).list_namespaced_config_map("default").items
    assert "settings" not in [item.metadata.name for item in found]
"""


def test_a_failed_test_prints_its_requests(pytester):
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*requests to kubeloom*", "*200 list   namespaces*"])


def test_an_unknown_isolation_is_refused(pytester):
    pytester.makeini("[pytest]\nkubeloom_isolation = clone")
    pytester.makepyfile("def test_any(kubeloom): pass")
    pytester.runpytest_subprocess().stdout.fnmatch_lines(["*'clone' is not reset, fork or none*"])
