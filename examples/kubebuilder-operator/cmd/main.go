package main

import (
	"flag"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	v1 "example.com/wheels/api/v1"
	v2 "example.com/wheels/api/v2"
	"example.com/wheels/internal/controller"
	webhookv1 "example.com/wheels/internal/webhook/v1"
)

func main() {
	var metricsAddr, probeAddr, webhookHost string
	var leaderElection bool
	flag.StringVar(&metricsAddr, "metrics-bind-address", ":8080", "")
	flag.StringVar(&probeAddr, "health-probe-bind-address", ":8081", "")
	flag.StringVar(&webhookHost, "webhook-host", "", "")
	flag.BoolVar(&leaderElection, "leader-elect", false, "")
	flag.Parse()
	ctrl.SetLogger(zap.New())

	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1.AddToScheme, v2.AddToScheme} {
		exitOn(add(scheme))
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                        scheme,
		Metrics:                       metricsserver.Options{BindAddress: metricsAddr},
		WebhookServer:                 webhook.NewServer(webhook.Options{Host: webhookHost}),
		HealthProbeBindAddress:        probeAddr,
		LeaderElection:                leaderElection,
		LeaderElectionID:              "wheels.example.com",
		LeaderElectionNamespace:       os.Getenv("POD_NAMESPACE"),
		LeaderElectionReleaseOnCancel: true,
	})
	exitOn(err)
	exitOn((&controller.WheelReconciler{Client: mgr.GetClient()}).SetupWithManager(mgr))
	exitOn(webhookv1.SetupWheelWebhookWithManager(mgr))
	exitOn(mgr.AddHealthzCheck("healthz", healthz.Ping))
	exitOn(mgr.AddReadyzCheck("readyz", mgr.GetWebhookServer().StartedChecker()))
	exitOn(mgr.Start(ctrl.SetupSignalHandler()))
}

func exitOn(err error) {
	if err != nil {
		ctrl.Log.Error(err, "the manager ends")
		os.Exit(1)
	}
}
