// Generated from the OpenAPI of testing.kubeloom.dev. Do not edit: run make kits.

package kubeloom

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ClockAdvance moves the clock of a server with --clock=manual. It answers when everything that was due has run.
type ClockAdvance struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ClockAdvanceSpec    `json:"spec"`
	Status *ClockAdvanceStatus `json:"status,omitempty"`
}

func (*ClockAdvance) kindAndResource() (string, string) {
	return "ClockAdvance", "clockadvances"
}

// ClockAdvanceSpec says how far the clock moves.
type ClockAdvanceSpec struct {
	// How far, for example 5m or 1h30m.
	Duration string `json:"duration"`
}

// ClockAdvanceStatus says what time it is.
type ClockAdvanceStatus struct {
	// The time of the server's clock after the advance.
	Now *metav1.MicroTime `json:"now,omitempty"`
}

// CutFault ends the body of the response and the connection.
type CutFault struct {
	// How many bytes of the body are sent; the default is none.
	AfterBytes int32 `json:"afterBytes,omitempty"`
}

// DelayFault answers late.
type DelayFault struct {
	// How long, for example 2s, by the clock of the server.
	Duration string `json:"duration"`
	// BeforeRequest is the default. With AfterRequest, the request takes effect first, and only its answer is lost or late.
	When string `json:"when,omitempty"`
}

// DropFault closes the connection without a response.
type DropFault struct {
	// BeforeRequest is the default. With AfterRequest, the request takes effect first, and only its answer is lost or late.
	When string `json:"when,omitempty"`
}

// Fault is what becomes of a request that is hit. Exactly one member must be set.
type Fault struct {
	// The store compacts all revisions before the newest one.
	Compact    *struct{}        `json:"compact,omitempty"`
	Cut        *CutFault        `json:"cut,omitempty"`
	Delay      *DelayFault      `json:"delay,omitempty"`
	Drop       *DropFault       `json:"drop,omitempty"`
	HoldEvents *HoldEventsFault `json:"holdEvents,omitempty"`
	Partition  *PartitionFault  `json:"partition,omitempty"`
	// The server drops all connections and starts again, with the same port and store.
	Restart   *struct{}       `json:"restart,omitempty"`
	StaleRead *StaleReadFault `json:"staleRead,omitempty"`
	Status    *StatusFault    `json:"status,omitempty"`
	Watch     *WatchFault     `json:"watch,omitempty"`
}

// FaultOccurrence says which of the matching requests are hit. By default, all are.
type FaultOccurrence struct {
	// How many requests are hit in all.
	Count int32 `json:"count,omitempty"`
	// The probability that a request is hit, between 0 and 1, for example "0.5".
	Probability string `json:"probability,omitempty"`
	// What the random choice begins with. The same seed hits the same requests.
	Seed int64 `json:"seed,omitempty"`
	// How many matching requests pass before the first one is hit.
	Skip int32 `json:"skip,omitempty"`
}

// A FaultPlan makes the server fail some requests as real control planes do. It is in force until it is deleted.
type FaultPlan struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FaultPlanSpec    `json:"spec"`
	Status *FaultPlanStatus `json:"status,omitempty"`
}

func (*FaultPlan) kindAndResource() (string, string) {
	return "FaultPlan", "faultplans"
}

// FaultPlanSpec says which requests are hit, and what becomes of them.
type FaultPlanSpec struct {
	Fault      Fault            `json:"fault"`
	Match      *RequestMatch    `json:"match,omitempty"`
	Occurrence *FaultOccurrence `json:"occurrence,omitempty"`
}

// FaultPlanStatus says what became of the plan. It is written when it changes, so that tests can wait for it.
type FaultPlanStatus struct {
	// Active is True while the plan is in force.
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// How many requests were hit.
	Hits int64 `json:"hits,omitempty"`
	// How many requests matched.
	Matches int64 `json:"matches,omitempty"`
	// The generation of the plan that is in force.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// HoldEventsFault delays the events of watches.
type HoldEventsFault struct {
	// How late events are, for example 10s.
	Duration string `json:"duration"`
}

// PartitionFault separates the client from the server.
type PartitionFault struct {
	// How long, for example 10s, by the clock of the server.
	Duration string `json:"duration"`
}

// RequestLogReview answers with the requests that the server got, in their order.
type RequestLogReview struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   *RequestLogReviewSpec   `json:"spec,omitempty"`
	Status *RequestLogReviewStatus `json:"status,omitempty"`
}

func (*RequestLogReview) kindAndResource() (string, string) {
	return "RequestLogReview", "requestlogreviews"
}

// RequestLogReviewSpec says which requests are asked for. By default, all are.
type RequestLogReviewSpec struct {
	// HTTP status codes of responses.
	Codes []int32       `json:"codes,omitempty"`
	Match *RequestMatch `json:"match,omitempty"`
	// Only requests that still run, as open watches do, or only those that do not.
	Running *bool `json:"running,omitempty"`
	// Only requests after the one with this sequence.
	Since int64 `json:"since,omitempty"`
}

// RequestLogReviewStatus lists what was found.
type RequestLogReviewStatus struct {
	// The requests, oldest first.
	Items []RequestRecord `json:"items,omitempty"`
}

// RequestMatch selects requests. Every list is any-of, and an absent one is anything. A * at the end of a text is any rest.
type RequestMatch struct {
	// API groups; "" is the core group.
	ApiGroups []string `json:"apiGroups,omitempty"`
	// Groups of users.
	Groups []string `json:"groups,omitempty"`
	// Names in the URL; "" is collections, and creates.
	Names []string `json:"names,omitempty"`
	// Namespaces; "" is what has none, and what is asked of all namespaces.
	Namespaces []string `json:"namespaces,omitempty"`
	// Paths of requests that are for no resource, for example /readyz. Alone, they match no resources.
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
	// Resources as RBAC has them: pods is pods without their subresources, pods/status one of these, pods/* all of these.
	Resources []string `json:"resources,omitempty"`
	// User agents, for example my-operator/*.
	UserAgents []string `json:"userAgents,omitempty"`
	// Names of users, after impersonation.
	Users []string `json:"users,omitempty"`
	// Verbs as RBAC has them, for example deletecollection; the method in lower case for requests that are for no resource.
	Verbs []string `json:"verbs,omitempty"`
}

// RequestRecord is one request, as far as it has come. Names are those of audit events.
type RequestRecord struct {
	// The API group.
	ApiGroup string `json:"apiGroup,omitempty"`
	// The version of the group.
	ApiVersion string `json:"apiVersion,omitempty"`
	// The HTTP status code of the response, once there is one.
	Code int32 `json:"code,omitempty"`
	// The groups of the user.
	Groups []string `json:"groups,omitempty"`
	// Who impersonates the user.
	ImpersonatedBy string `json:"impersonatedBy,omitempty"`
	// The name of the object, for creates, too.
	Name string `json:"name,omitempty"`
	// The namespace.
	Namespace string `json:"namespace,omitempty"`
	// The resource.
	Resource string `json:"resource,omitempty"`
	// What the object of a write has now.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Whether the response is not complete, as that of an open watch.
	Running bool `json:"running,omitempty"`
	// 1 for the first request of the server, and one more for each that follows.
	Sequence int64 `json:"sequence"`
	// The subresource.
	Subresource string `json:"subresource,omitempty"`
	// When it came, by the clock of the server.
	Time *metav1.MicroTime `json:"time,omitempty"`
	// The path and the query.
	Url string `json:"url,omitempty"`
	// Who asks. For a request that impersonates, who it acts as.
	User string `json:"user,omitempty"`
	// The header User-Agent.
	UserAgent string `json:"userAgent,omitempty"`
	// The verb as RBAC has it, or the method in lower case.
	Verb string `json:"verb,omitempty"`
}

// A ServerFork is a server of its own that begins with the state of this one, or of a snapshot. Deleting it closes the server.
type ServerFork struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   *ServerForkSpec   `json:"spec,omitempty"`
	Status *ServerForkStatus `json:"status,omitempty"`
}

func (*ServerFork) kindAndResource() (string, string) {
	return "ServerFork", "serverforks"
}

// ServerForkSpec says what the fork begins with.
type ServerForkSpec struct {
	// The name of a Snapshot. By default, the fork begins with the state of this moment.
	Snapshot string `json:"snapshot,omitempty"`
}

// ServerForkStatus says how clients reach the fork.
type ServerForkStatus struct {
	// A kubeconfig of the fork's administrator.
	Kubeconfig string `json:"kubeconfig,omitempty"`
	// The URL of the fork.
	Server string `json:"server,omitempty"`
}

// SettledReview answers when the server has settled, or when the time for that is over.
type SettledReview struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   *SettledReviewSpec   `json:"spec,omitempty"`
	Status *SettledReviewStatus `json:"status,omitempty"`
}

func (*SettledReview) kindAndResource() (string, string) {
	return "SettledReview", "settledreviews"
}

// SettledReviewSpec says what has to be quiet, and for how long.
type SettledReviewSpec struct {
	// User names or user agents of the clients that count. A * at the end is any rest. One that has never asked for anything has not settled. By default, all clients count.
	Controllers []string `json:"controllers,omitempty"`
	// For how long nothing may happen, for example 500ms, in real time. The default is 1s, or 100ms with a manual clock.
	Quiet string `json:"quiet,omitempty"`
	// How long to wait for that, for example 30s, in real time. The default is 4s, or four times quiet.
	Timeout string `json:"timeout,omitempty"`
}

// SettledReviewStatus says whether it has.
type SettledReviewStatus struct {
	// What was still under way.
	Reason string `json:"reason,omitempty"`
	// Whether the server has settled in time.
	Settled bool `json:"settled,omitempty"`
}

// A Snapshot keeps the state of the store at its creation, until it is deleted.
type Snapshot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   *SnapshotSpec   `json:"spec,omitempty"`
	Status *SnapshotStatus `json:"status,omitempty"`
}

func (*Snapshot) kindAndResource() (string, string) {
	return "Snapshot", "snapshots"
}

// SnapshotRestore puts the server back into the state of a snapshot. It answers when that is done.
type SnapshotRestore struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   *SnapshotRestoreSpec   `json:"spec,omitempty"`
	Status *SnapshotRestoreStatus `json:"status,omitempty"`
}

func (*SnapshotRestore) kindAndResource() (string, string) {
	return "SnapshotRestore", "snapshotrestores"
}

// SnapshotRestoreSpec says which state comes back.
type SnapshotRestoreSpec struct {
	// The name of a Snapshot, or fresh, the default, which is the state in which the server became ready.
	Snapshot string `json:"snapshot,omitempty"`
	// What open watches see. With Continue, the default, they see the differences as events. With Expire, they end with an error 410.
	Watches string `json:"watches,omitempty"`
}

// SnapshotRestoreStatus says where the store is now.
type SnapshotRestoreStatus struct {
	// The revision of the store after the restore. Revisions only grow.
	Revision int64 `json:"revision,omitempty"`
}

// SnapshotSpec has no fields, because a snapshot keeps everything.
type SnapshotSpec struct{}

// SnapshotStatus says what was kept.
type SnapshotStatus struct {
	// How many objects there were.
	Objects int64 `json:"objects,omitempty"`
	// The revision of the store at the moment of the snapshot.
	Revision int64 `json:"revision,omitempty"`
}

// StaleReadFault answers reads with resourceVersion=0 as a cache that has fallen behind.
type StaleReadFault struct {
	// How old the state is that they see, for example 30s.
	Age string `json:"age"`
}

// StatusFault answers with a Status in place of the response.
type StatusFault struct {
	// The HTTP status code.
	Code int32 `json:"code"`
	// The message in the Status.
	Message string `json:"message,omitempty"`
	// The reason in the Status. The default is Kubernetes' own for the code.
	Reason string `json:"reason,omitempty"`
	// Sent as Retry-After, and in the details of the Status.
	RetryAfterSeconds int32 `json:"retryAfterSeconds,omitempty"`
}

// WatchFault fails a watch that is open.
type WatchFault struct {
	// Stall leaves the watch open and sends nothing any more. Close ends it. Expire ends it with an error 410.
	Action string `json:"action"`
	// How many events are sent before, bookmarks not counted.
	AfterEvents int32 `json:"afterEvents,omitempty"`
	// Whether bookmarks are sent; the default is what the client asks for.
	Bookmarks string `json:"bookmarks,omitempty"`
}
