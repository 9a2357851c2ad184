package kubeloom

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Start starts a server for a test. It ends with the test. Flags are those of `kubeloom serve`, as "--clock=manual". If the test
// fails, the requests to the server are logged.
func Start(t testing.TB, flags ...string) *Server {
	t.Helper()
	server, err := Open(t.Context(), flags...)
	must(t, err)
	t.Cleanup(server.Close)
	t.Cleanup(func() { server.logTimeline(t) })
	return server
}

// Fork starts a server with the same objects for a test, which may then run in parallel with others.
func (s *Server) Fork(t testing.TB) *Server {
	t.Helper()
	return s.ForkOf(t, "")
}

// ForkOf starts a server with the objects of a snapshot.
func (s *Server) ForkOf(t testing.TB, snapshot string) *Server {
	t.Helper()
	fork, err := s.OpenFork(t.Context(), ServerForkSpec{Snapshot: snapshot})
	must(t, err)
	t.Cleanup(fork.Close)
	t.Cleanup(func() { fork.logTimeline(t) })
	return fork
}

// Reset makes all objects what they were when the server became ready.
func (s *Server) Reset(t testing.TB) {
	t.Helper()
	s.Restore(t, SnapshotRestoreSpec{})
}

// Restore makes all objects what they were when a snapshot was taken.
func (s *Server) Restore(t testing.TB, spec SnapshotRestoreSpec) {
	t.Helper()
	must(t, s.Create(t.Context(), &SnapshotRestore{Spec: &spec}))
}

// Snapshot keeps the state of all objects until the test ends.
func (s *Server) Snapshot(t testing.TB) *Snapshot {
	t.Helper()
	snapshot := &Snapshot{ObjectMeta: metav1.ObjectMeta{GenerateName: "snapshot-"}}
	must(t, s.Create(t.Context(), snapshot))
	t.Cleanup(func() { _ = s.Delete(context.Background(), snapshot) })
	return snapshot
}

// Advance lets time pass on a server with --clock=manual, and returns the new time. All that is due happens before it returns.
func (s *Server) Advance(t testing.TB, duration time.Duration) time.Time {
	t.Helper()
	advance := &ClockAdvance{Spec: ClockAdvanceSpec{Duration: duration.String()}}
	must(t, s.Create(t.Context(), advance))
	return advance.Status.Now.Time
}

// Plan makes requests fail.
type Plan struct {
	FaultPlan
	server *Server
}

// Fault makes requests fail until the plan is removed or the test ends.
func (s *Server) Fault(t testing.TB, spec FaultPlanSpec) *Plan {
	t.Helper()
	plan := &Plan{FaultPlan{ObjectMeta: metav1.ObjectMeta{GenerateName: "fault-"}, Spec: spec}, s}
	must(t, s.Create(t.Context(), &plan.FaultPlan))
	t.Cleanup(func() { _ = s.Delete(context.Background(), &plan.FaultPlan) })
	return plan
}

// Hits returns how many requests have failed.
func (p *Plan) Hits(t testing.TB) int64 {
	t.Helper()
	must(t, p.server.Get(t.Context(), &p.FaultPlan))
	if p.Status == nil {
		return 0
	}
	return p.Status.Hits
}

// WaitForHits returns when so many requests have failed.
func (p *Plan) WaitForHits(t testing.TB, hits int64) {
	t.Helper()
	Eventually(t, func() error {
		if now := p.Hits(t); now < hits {
			return fmt.Errorf("%d requests have failed, not %d", now, hits)
		}
		return nil
	})
}

// Remove ends the fault.
func (p *Plan) Remove(t testing.TB) {
	t.Helper()
	must(t, p.server.Delete(t.Context(), &p.FaultPlan))
}

// Requests returns the requests to the server, oldest first.
func (s *Server) Requests(t testing.TB, spec RequestLogReviewSpec) []RequestRecord {
	t.Helper()
	review := &RequestLogReview{Spec: &spec}
	must(t, s.Create(t.Context(), review))
	if review.Status == nil {
		return nil
	}
	return review.Status.Items
}

// Settled returns when nothing is under way: nothing was written for a while, and the controllers have seen every event.
func (s *Server) Settled(t testing.TB, spec SettledReviewSpec) {
	t.Helper()
	review := &SettledReview{Spec: &spec}
	must(t, s.Create(t.Context(), review))
	if review.Status == nil || !review.Status.Settled {
		t.Fatalf("not settled: %+v", review.Status)
	}
}

// EventuallyTimeout is how long Eventually tries.
var EventuallyTimeout = 4 * time.Second

// Eventually returns when the condition has no error any more. After EventuallyTimeout, the test fails with the last error.
func Eventually(t testing.TB, condition func() error) {
	t.Helper()
	for deadline := time.Now().Add(EventuallyTimeout); ; time.Sleep(10 * time.Millisecond) {
		err := condition()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("after %s: %v", EventuallyTimeout, err)
		}
	}
}

// Timeline returns the requests to the server, a line for each.
func (s *Server) Timeline(ctx context.Context) (string, error) {
	review := &RequestLogReview{}
	if err := s.Create(ctx, review); err != nil || review.Status == nil {
		return "", err
	}
	var lines strings.Builder
	for _, record := range review.Status.Items {
		what := record.Url
		if record.Resource != "" {
			what = strings.Trim(strings.Join([]string{record.Resource, record.Namespace, record.Name}, " "), " ")
		}
		at := ""
		if record.Time != nil {
			at = record.Time.UTC().Format("15:04:05.000")
		}
		fmt.Fprintf(&lines, "%s %3d %-6s %s (%s)\n", at, record.Code, record.Verb, what, record.UserAgent)
	}
	return lines.String(), nil
}

func (s *Server) logTimeline(t testing.TB) {
	if !t.Failed() {
		return
	}
	if timeline, err := s.Timeline(context.Background()); err == nil {
		t.Logf("requests to the server:\n%s", timeline)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
