// Package testing has the place of k8s.io/apiextensions-apiserver/pkg/cmd/server/testing in its integration tests. Its test
// server is Kubeloom.
package testing

import (
	"os"
	"strings"

	"github.com/spf13/pflag"
	extensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	restclient "k8s.io/client-go/rest"
	"kubeloom.test/external"
)

type TearDownFunc func()

type TestServerInstanceOptions struct{}

// TestServer has the client of a server. Its options are of use only to find the objects in etcd.
type TestServer struct {
	ClientConfig    *restclient.Config
	ServerOpts      *options.CustomResourceDefinitionsServerOptions
	TearDownFn      TearDownFunc
	TmpDir          string
	CompletedConfig extensionsapiserver.CompletedConfig
}

type Logger interface {
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
}

func NewDefaultTestServerOptions() *TestServerInstanceOptions { return &TestServerInstanceOptions{} }

// delegation lists flags for the authentication and authorization that the server delegates. kube-apiserver has none of them.
var delegation = []string{"--authentication-skip-lookup", "--authentication-kubeconfig", "--authorization-kubeconfig", "--kubeconfig"}

func StartTestServer(_ Logger, _ *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) (TestServer, error) {
	opts := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	opts.AddFlags(set)
	if storage != nil {
		opts.RecommendedOptions.Etcd.StorageConfig = *storage
	}
	if err := set.Parse(flags); err != nil {
		return TestServer{}, err
	}
	folder, err := external.NewFolder()
	if err != nil {
		return TestServer{}, err
	}
	etcd := opts.RecommendedOptions.Etcd
	args := []string{"--runtime-config=api/all=true", "--etcd-prefix=" + etcd.StorageConfig.Prefix, "--etcd-servers=" + strings.Join(etcd.StorageConfig.Transport.ServerList, ",")}
	server, err := external.Start(folder, append(args, others(flags)...)...)
	if err != nil {
		return TestServer{}, err
	}
	generic := genericapiserver.NewRecommendedConfig(extensionsapiserver.Codecs)
	generic.ExternalAddress = strings.TrimPrefix(server.Config.Host, "https://")
	generic.EffectiveVersion = opts.ServerRunOptions.ComponentGlobalsRegistry.EffectiveVersionFor("kube")
	if err := etcd.ApplyTo(&generic.Config); err != nil {
		server.Stop()
		return TestServer{}, err
	}
	config := extensionsapiserver.Config{GenericConfig: generic}
	return TestServer{ClientConfig: server.Config, ServerOpts: opts, TearDownFn: server.Stop, TmpDir: folder, CompletedConfig: config.Complete()}, nil
}

func StartTestServerOrDie(t Logger, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	server, err := StartTestServer(t, instance, flags, storage)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &server
}

// others returns the flags that are neither of etcd nor of a delegation. A flag of a suite is `--name=value`, or its value follows.
func others(flags []string) []string {
	left := append([]string{"--etcd-prefix", "--etcd-servers"}, delegation...)
	var kept []string
	for i := 0; i < len(flags); i++ {
		name, _, hasValue := strings.Cut(flags[i], "=")
		valueFollows := !hasValue && i+1 < len(flags) && !strings.HasPrefix(flags[i+1], "--")
		if !contains(left, name) {
			kept = append(kept, flags[i])
			if valueFollows {
				kept = append(kept, flags[i+1])
			}
		}
		if valueFollows {
			i++
		}
	}
	return kept
}

func contains(names []string, name string) bool {
	for _, each := range names {
		if each == name {
			return true
		}
	}
	return false
}
