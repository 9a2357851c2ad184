"""What the plugin does around tests."""

pytest_plugins = ["pytester"]

FAILING = """
from kubernetes import client

def test_fails(kubeloom):
    client.CoreV1Api(kubeloom.client()).list_namespace()
    assert False

def test_begins_anew(kubeloom):
    assert kubeloom.requests({"match": {"verbs": ["create"], "resources": ["namespaces"], "users": ["nobody"]}}) == []
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
