package scenarios

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"kubeloom.dev/kubeloom"
)

var origin *kubeloom.Server

func TestMain(m *testing.M) {
	server, err := kubeloom.Open(context.Background(), "--clock=manual")
	if err != nil {
		panic(err)
	}
	origin = server
	code := m.Run()
	server.Close()
	os.Exit(code)
}

// scenarios are the tests that scenarios.txt names.
var scenarios = map[string]func(t *testing.T, server *kubeloom.Server){
	"start-serves": func(t *testing.T, server *kubeloom.Server) {
		_, err := clients(server).CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{})
		must(t, err)
	},
	"kubeconfig-works": func(t *testing.T, _ *kubeloom.Server) {
		config, err := clientcmd.BuildConfigFromFlags("", origin.Kubeconfig)
		must(t, err)
		_, err = kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{})
		must(t, err)
	},
	"flags-are-passed": func(t *testing.T, _ *kubeloom.Server) {
		version, err := clients(kubeloom.Start(t, "--kubernetes-version=1.33")).Discovery().ServerVersion()
		must(t, err)
		equal(t, version.Minor, "33")
	},
	"close-ends": func(t *testing.T, _ *kubeloom.Server) {
		server, err := kubeloom.Open(t.Context())
		must(t, err)
		server.Close()
		if create(server, "settings") == nil {
			t.Fatal("serves")
		}
	},
	"start-fails-with-output": func(t *testing.T, _ *kubeloom.Server) {
		_, err := kubeloom.Open(t.Context(), "--storage=paper")
		contains(t, err, "--storage")
	},
	"missing-executable-is-explained": func(t *testing.T, _ *kubeloom.Server) {
		t.Setenv("PATH", "/nowhere")
		t.Setenv("KUBELOOM", "")
		_, err := kubeloom.Open(t.Context())
		contains(t, err, "KUBELOOM")
	},
	"reset-undoes": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "settings"))
		server.Reset(t)
		equal(t, names(t, server), "")
	},
	"snapshot-counts": func(t *testing.T, server *kubeloom.Server) {
		before := server.Snapshot(t)
		must(t, create(server, "settings"))
		equal(t, server.Snapshot(t).Status.Objects, before.Status.Objects+1)
	},
	"restore-brings-back": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "settings"))
		snapshot := server.Snapshot(t)
		must(t, clients(server).CoreV1().ConfigMaps("default").Delete(t.Context(), "settings", metav1.DeleteOptions{}))
		server.Restore(t, kubeloom.SnapshotRestoreSpec{Snapshot: snapshot.Name})
		equal(t, names(t, server), "settings")
	},
	"restore-needs-snapshot": func(t *testing.T, server *kubeloom.Server) {
		err := server.Create(t.Context(), &kubeloom.SnapshotRestore{Spec: &kubeloom.SnapshotRestoreSpec{Snapshot: "unknown"}})
		contains(t, err, "unknown")
	},
	"fork-has-objects": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "settings"))
		equal(t, names(t, server.Fork(t)), "settings")
	},
	"fork-is-apart": func(t *testing.T, server *kubeloom.Server) {
		fork := server.Fork(t)
		must(t, create(server, "origin"))
		must(t, create(fork, "fork"))
		equal(t, names(t, server), "origin")
		equal(t, names(t, fork), "fork")
	},
	"fork-of-snapshot": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "before"))
		snapshot := server.Snapshot(t)
		must(t, create(server, "after"))
		equal(t, names(t, server.ForkOf(t, snapshot.Name)), "before")
	},
	"closed-fork-ends": func(t *testing.T, server *kubeloom.Server) {
		fork, err := server.OpenFork(t.Context(), kubeloom.ServerForkSpec{})
		must(t, err)
		fork.Close()
		if create(fork, "settings") == nil {
			t.Fatal("serves")
		}
		must(t, create(server, "settings"))
	},
	"clock-advances": func(t *testing.T, server *kubeloom.Server) {
		first := server.Advance(t, time.Second)
		equal(t, server.Advance(t, 5*time.Minute).Sub(first), 5*time.Minute)
	},
	"clock-needs-manual": func(t *testing.T, _ *kubeloom.Server) {
		advance := &kubeloom.ClockAdvance{Spec: kubeloom.ClockAdvanceSpec{Duration: "1s"}}
		contains(t, kubeloom.Start(t).Create(t.Context(), advance), "clock")
	},
	"fault-fails-requests": func(t *testing.T, server *kubeloom.Server) {
		server.Fault(t, conflict(0))
		if err := create(server, "settings"); !apierrors.IsConflict(err) {
			t.Fatal(err)
		}
	},
	"fault-spares-others": func(t *testing.T, server *kubeloom.Server) {
		plan := server.Fault(t, conflict(0))
		equal(t, names(t, server), "")
		equal(t, plan.Hits(t), 0)
	},
	"fault-ends-after-count": func(t *testing.T, server *kubeloom.Server) {
		server.Fault(t, conflict(1))
		if create(server, "settings") == nil {
			t.Fatal("has not failed")
		}
		must(t, create(server, "settings"))
	},
	"fault-waits-for-hits": func(t *testing.T, server *kubeloom.Server) {
		plan := server.Fault(t, conflict(0))
		go create(server, "settings")
		plan.WaitForHits(t, 1)
		equal(t, plan.Hits(t), 1)
	},
	"removed-fault-is-over": func(t *testing.T, server *kubeloom.Server) {
		server.Fault(t, conflict(0)).Remove(t)
		must(t, create(server, "settings"))
	},
	"wrong-fault-is-refused": func(t *testing.T, server *kubeloom.Server) {
		plan := &kubeloom.FaultPlan{ObjectMeta: metav1.ObjectMeta{Name: "wrong"}, Spec: kubeloom.FaultPlanSpec{
			Match: &kubeloom.RequestMatch{Resources: []string{"podz"}},
			Fault: kubeloom.Fault{Status: &kubeloom.StatusFault{Code: 409}},
		}}
		contains(t, server.Create(t.Context(), plan), `"pods"`)
	},
	"requests-have-codes": func(t *testing.T, server *kubeloom.Server) {
		config := rest.CopyConfig(server.Config)
		config.UserAgent = "my-operator/1"
		_, _ = kubernetes.NewForConfigOrDie(config).CoreV1().ConfigMaps("default").Get(t.Context(), "missing", metav1.GetOptions{})
		found := server.Requests(t, kubeloom.RequestLogReviewSpec{Match: &kubeloom.RequestMatch{UserAgents: []string{"my-operator/*"}}})
		equal(t, len(found), 1)
		equal(t, found[0].Code, 404)
		equal(t, found[0].UserAgent, "my-operator/1")
	},
	"requests-match": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "settings"))
		names(t, server)
		equal(t, len(server.Requests(t, creates())), 1)
	},
	"requests-since": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "first"))
		spec := creates()
		spec.Since = server.Requests(t, spec)[0].Sequence
		must(t, create(server, "second"))
		equal(t, len(server.Requests(t, spec)), 1)
	},
	"settled-when-idle": func(t *testing.T, server *kubeloom.Server) {
		server.Settled(t, kubeloom.SettledReviewSpec{Quiet: "20ms", Timeout: "30s"})
	},
	"unsettled-without-controller": func(t *testing.T, server *kubeloom.Server) {
		review := &kubeloom.SettledReview{Spec: &kubeloom.SettledReviewSpec{Controllers: []string{"nobody/*"}, Quiet: "10ms", Timeout: "50ms"}}
		must(t, server.Create(t.Context(), review))
		equal(t, review.Status.Settled, false)
		contains(t, errors.New(review.Status.Reason), "nobody")
	},
	"eventually-waits": func(t *testing.T, server *kubeloom.Server) {
		go create(server, "settings")
		kubeloom.Eventually(t, func() error {
			_, err := clients(server).CoreV1().ConfigMaps("default").Get(t.Context(), "settings", metav1.GetOptions{})
			return err
		})
	},
	"eventually-fails": func(t *testing.T, _ *kubeloom.Server) {
		kubeloom.EventuallyTimeout = 50 * time.Millisecond
		defer func() { kubeloom.EventuallyTimeout = 30 * time.Second }()
		fake := &failed{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			kubeloom.Eventually(fake, func() error { return errors.New("still small") })
		}()
		<-done
		contains(t, errors.New(fake.message), "still small")
	},
	"timeline-has-requests": func(t *testing.T, server *kubeloom.Server) {
		must(t, create(server, "settings"))
		timeline, err := server.Timeline(t.Context())
		must(t, err)
		contains(t, errors.New(timeline), "201 create configmaps default")
	},
}

// TestScenarios runs each scenario with a fork, so that they may change everything.
func TestScenarios(t *testing.T) {
	kubeloom.EventuallyTimeout = 30 * time.Second
	text, err := os.ReadFile("scenarios.txt")
	must(t, err)
	listed := 0
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, ":")
		listed++
		t.Run(name, func(t *testing.T) {
			scenario, ok := scenarios[name]
			if !ok {
				t.Fatal("this language has no such scenario")
			}
			scenario(t, origin.Fork(t))
		})
	}
	equal(t, len(scenarios), listed)
}

func TestForksRunInParallel(t *testing.T) {
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			must(t, create(origin.Fork(t), "the-same-name"))
		})
	}
}

func TestEnvtestUsesTheServer(t *testing.T) {
	environment := &envtest.Environment{UseExistingCluster: ptr.To(true), Config: origin.Fork(t).Config}
	config, err := environment.Start()
	must(t, err)
	_, err = kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces().Get(t.Context(), "default", metav1.GetOptions{})
	must(t, err)
	must(t, environment.Stop())
}

// failed is a test that records why it fails.
type failed struct {
	testing.TB
	message string
}

func (f *failed) Fatalf(format string, args ...any) {
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			f.message += err.Error()
		}
	}
	runtime.Goexit()
}

func conflict(count int32) kubeloom.FaultPlanSpec {
	return kubeloom.FaultPlanSpec{
		Match:      &kubeloom.RequestMatch{Verbs: []string{"create"}, Resources: []string{"configmaps"}},
		Occurrence: &kubeloom.FaultOccurrence{Count: count},
		Fault:      kubeloom.Fault{Status: &kubeloom.StatusFault{Code: 409, Reason: "Conflict"}},
	}
}

func creates() kubeloom.RequestLogReviewSpec {
	match := &kubeloom.RequestMatch{Verbs: []string{"create"}, Resources: []string{"configmaps"}, Namespaces: []string{"default"}}
	return kubeloom.RequestLogReviewSpec{Match: match}
}

func clients(server *kubeloom.Server) *kubernetes.Clientset {
	return kubernetes.NewForConfigOrDie(server.Config)
}

func create(server *kubeloom.Server, name string) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := clients(server).CoreV1().ConfigMaps("default").Create(context.Background(), object, metav1.CreateOptions{})
	return err
}

// names returns the config maps that tests have made.
func names(t *testing.T, server *kubeloom.Server) string {
	t.Helper()
	list, err := clients(server).CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
	must(t, err)
	var found []string
	for _, item := range list.Items {
		if item.Name != "kube-root-ca.crt" {
			found = append(found, item.Name)
		}
	}
	slices.Sort(found)
	return strings.Join(found, " ")
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func contains(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Fatalf("got %v, want %s", err, text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
