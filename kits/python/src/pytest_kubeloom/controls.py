# Generated from the OpenAPI of testing.kubeloom.dev. Do not edit: run make kits.
from __future__ import annotations

from typing import Any, Literal, TypedDict

from typing_extensions import NotRequired

#: The resource of each kind.
RESOURCES = {
    "ClockAdvance": "clockadvances",
    "FaultPlan": "faultplans",
    "RequestLogReview": "requestlogreviews",
    "ServerFork": "serverforks",
    "SettledReview": "settledreviews",
    "SnapshotRestore": "snapshotrestores",
    "Snapshot": "snapshots",
}


class ClockAdvanceSpec(TypedDict):
    """ClockAdvanceSpec says how far the clock moves."""

    #: How far, for example 5m or 1h30m.
    duration: str


class ClockAdvanceStatus(TypedDict):
    """ClockAdvanceStatus says what time it is."""

    #: The time of the server's clock after the advance.
    now: NotRequired[str]


class CutFault(TypedDict):
    """CutFault ends the body of the response and the connection."""

    #: How many bytes of the body are sent; the default is none.
    afterBytes: NotRequired[int]


class DelayFault(TypedDict):
    """DelayFault answers late."""

    #: How long, for example 2s, by the clock of the server.
    duration: str
    #: BeforeRequest is the default. With AfterRequest, the request takes effect first, and only its answer is lost or late.
    when: NotRequired[Literal["BeforeRequest", "AfterRequest"]]


class DropFault(TypedDict):
    """DropFault closes the connection without a response."""

    #: BeforeRequest is the default. With AfterRequest, the request takes effect first, and only its answer is lost or late.
    when: NotRequired[Literal["BeforeRequest", "AfterRequest"]]


class HoldEventsFault(TypedDict):
    """HoldEventsFault delays the events of watches."""

    #: How late events are, for example 10s.
    duration: str


class PartitionFault(TypedDict):
    """PartitionFault separates the client from the server."""

    #: How long, for example 10s, by the clock of the server.
    duration: str


class StaleReadFault(TypedDict):
    """StaleReadFault answers reads with resourceVersion=0 as a cache that has fallen behind."""

    #: How old the state is that they see, for example 30s.
    age: str


class StatusFault(TypedDict):
    """StatusFault answers with a Status in place of the response."""

    #: The HTTP status code.
    code: int
    #: The message in the Status.
    message: NotRequired[str]
    #: The reason in the Status. The default is Kubernetes' own for the code.
    reason: NotRequired[str]
    #: Sent as Retry-After, and in the details of the Status.
    retryAfterSeconds: NotRequired[int]


class WatchFault(TypedDict):
    """WatchFault fails a watch that is open."""

    #: Stall leaves the watch open and sends nothing any more. Close ends it. Expire ends it with an error 410.
    action: Literal["Stall", "Close", "Expire"]
    #: How many events are sent before, bookmarks not counted.
    afterEvents: NotRequired[int]
    #: Whether bookmarks are sent; the default is what the client asks for.
    bookmarks: NotRequired[Literal["Always", "Never"]]


class Fault(TypedDict):
    """Fault is what becomes of a request that is hit. Exactly one member must be set."""

    #: The store compacts all revisions before the newest one.
    compact: NotRequired[dict[str, Any]]
    cut: NotRequired[CutFault]
    delay: NotRequired[DelayFault]
    drop: NotRequired[DropFault]
    holdEvents: NotRequired[HoldEventsFault]
    partition: NotRequired[PartitionFault]
    #: The server drops all connections and starts again, with the same port and store.
    restart: NotRequired[dict[str, Any]]
    staleRead: NotRequired[StaleReadFault]
    status: NotRequired[StatusFault]
    watch: NotRequired[WatchFault]


class FaultOccurrence(TypedDict):
    """FaultOccurrence says which of the matching requests are hit. By default, all are."""

    #: How many requests are hit in all.
    count: NotRequired[int]
    #: The probability that a request is hit, between 0 and 1, for example "0.5".
    probability: NotRequired[str]
    #: What the random choice begins with. The same seed hits the same requests.
    seed: NotRequired[int]
    #: How many matching requests pass before the first one is hit.
    skip: NotRequired[int]


class RequestMatch(TypedDict):
    """RequestMatch selects requests. Every list is any-of, and an absent one is anything. A * at the end of a text is any rest."""

    #: API groups; "" is the core group.
    apiGroups: NotRequired[list[str]]
    #: Groups of users.
    groups: NotRequired[list[str]]
    #: Names in the URL; "" is collections, and creates.
    names: NotRequired[list[str]]
    #: Namespaces; "" is what has none, and what is asked of all namespaces.
    namespaces: NotRequired[list[str]]
    #: Paths of requests that are for no resource, for example /readyz. Alone, they match no resources.
    nonResourceURLs: NotRequired[list[str]]
    #: Resources as RBAC has them: pods is pods without their subresources, pods/status one of these, pods/* all of these.
    resources: NotRequired[list[str]]
    #: User agents, for example my-operator/*.
    userAgents: NotRequired[list[str]]
    #: Names of users, after impersonation.
    users: NotRequired[list[str]]
    #: Verbs as RBAC has them, for example deletecollection; the method in lower case for requests that are for no resource.
    verbs: NotRequired[list[str]]


class FaultPlanSpec(TypedDict):
    """FaultPlanSpec says which requests are hit, and what becomes of them."""

    fault: Fault
    match: NotRequired[RequestMatch]
    occurrence: NotRequired[FaultOccurrence]


class FaultPlanStatus(TypedDict):
    """FaultPlanStatus says what became of the plan. It is written when it changes, so that tests can wait for it."""

    #: Active is True while the plan is in force.
    conditions: NotRequired[list[dict[str, Any]]]
    #: How many requests were hit.
    hits: NotRequired[int]
    #: How many requests matched.
    matches: NotRequired[int]
    #: The generation of the plan that is in force.
    observedGeneration: NotRequired[int]


class RequestLogReviewSpec(TypedDict):
    """RequestLogReviewSpec says which requests are asked for. By default, all are."""

    #: HTTP status codes of responses.
    codes: NotRequired[list[int]]
    match: NotRequired[RequestMatch]
    #: Only requests that still run, as open watches do, or only those that do not.
    running: NotRequired[bool]
    #: Only requests after the one with this sequence.
    since: NotRequired[int]


class RequestRecord(TypedDict):
    """RequestRecord is one request, as far as it has come. Names are those of audit events."""

    #: The API group.
    apiGroup: NotRequired[str]
    #: The version of the group.
    apiVersion: NotRequired[str]
    #: The HTTP status code of the response, once there is one.
    code: NotRequired[int]
    #: The groups of the user.
    groups: NotRequired[list[str]]
    #: Who impersonates the user.
    impersonatedBy: NotRequired[str]
    #: The name of the object, for creates, too.
    name: NotRequired[str]
    #: The namespace.
    namespace: NotRequired[str]
    #: The resource.
    resource: NotRequired[str]
    #: What the object of a write has now.
    resourceVersion: NotRequired[str]
    #: Whether the response is not complete, as that of an open watch.
    running: NotRequired[bool]
    #: 1 for the first request of the server, and one more for each that follows.
    sequence: int
    #: The subresource.
    subresource: NotRequired[str]
    #: When it came, by the clock of the server.
    time: NotRequired[str]
    #: The path and the query.
    url: NotRequired[str]
    #: Who asks. For a request that impersonates, who it acts as.
    user: NotRequired[str]
    #: The header User-Agent.
    userAgent: NotRequired[str]
    #: The verb as RBAC has it, or the method in lower case.
    verb: NotRequired[str]


class RequestLogReviewStatus(TypedDict):
    """RequestLogReviewStatus lists what was found."""

    #: The requests, oldest first.
    items: NotRequired[list[RequestRecord]]


class ServerForkSpec(TypedDict):
    """ServerForkSpec says what the fork begins with."""

    #: The name of a Snapshot. By default, the fork begins with the state of this moment.
    snapshot: NotRequired[str]


class ServerForkStatus(TypedDict):
    """ServerForkStatus says how clients reach the fork."""

    #: A kubeconfig of the fork's administrator.
    kubeconfig: NotRequired[str]
    #: The URL of the fork.
    server: NotRequired[str]


class SettledReviewSpec(TypedDict):
    """SettledReviewSpec says what has to be quiet, and for how long."""

    #: User names or user agents of the clients that count. A * at the end is any rest. One that has never asked for anything has not settled. By default, all clients count.
    controllers: NotRequired[list[str]]
    #: For how long nothing may happen, for example 500ms, in real time. The default is 1s, or 100ms with a manual clock.
    quiet: NotRequired[str]
    #: How long to wait for that, for example 30s, in real time. The default is 4s, or four times quiet.
    timeout: NotRequired[str]


class SettledReviewStatus(TypedDict):
    """SettledReviewStatus says whether it has."""

    #: What was still under way.
    reason: NotRequired[str]
    #: Whether the server has settled in time.
    settled: NotRequired[bool]


class SnapshotRestoreSpec(TypedDict):
    """SnapshotRestoreSpec says which state comes back."""

    #: The name of a Snapshot, or fresh, the default, which is the state in which the server became ready.
    snapshot: NotRequired[str]
    #: What open watches see. With Continue, the default, they see the differences as events. With Expire, they end with an error 410.
    watches: NotRequired[Literal["Continue", "Expire"]]


class SnapshotRestoreStatus(TypedDict):
    """SnapshotRestoreStatus says where the store is now."""

    #: The revision of the store after the restore. Revisions only grow.
    revision: NotRequired[int]


class SnapshotSpec(TypedDict):
    """SnapshotSpec has no fields, because a snapshot keeps everything."""


class SnapshotStatus(TypedDict):
    """SnapshotStatus says what was kept."""

    #: How many objects there were.
    objects: NotRequired[int]
    #: The revision of the store at the moment of the snapshot.
    revision: NotRequired[int]
