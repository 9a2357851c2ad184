// Package testing has the place of k8s.io/kubernetes/cmd/kube-apiserver/app/testing in integration tests of Kubernetes. Its test
// server is Kubeloom.
package testing

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	testutil "k8s.io/kubernetes/test/utils"
	"k8s.io/kubernetes/test/utils/ktesting"
	"kubeloom.test/external"
)

type TearDownFunc func()

type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
	BinaryVersion          string
	RequestTimeout         time.Duration
}

// TestServer has the clients of a server and of its etcd.
type TestServer struct {
	ClientConfig      *restclient.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string
}

type Logger interface {
	Helper()
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
	Cleanup(func())
}

type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

// StartTestServer reads the flags with kube-apiserver's own options, too, so that a flag is refused as there.
func StartTestServer(_ ktesting.TB, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) (TestServer, error) {
	if instance == nil {
		instance = NewDefaultTestServerOptions()
	}
	if instance.StorageVersionWrapFunc != nil || instance.BinaryVersion != "" || instance.ProxyCA != nil {
		return TestServer{}, errors.New("another process cannot have this option of a test server")
	}
	opts := options.NewServerRunOptions()
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, each := range opts.Flags().FlagSets {
		set.AddFlagSet(each)
	}
	opts.Etcd.StorageConfig = *storage
	if err := set.Parse(flags); err != nil {
		return TestServer{}, err
	}
	folder, err := external.NewFolder()
	if err != nil {
		return TestServer{}, err
	}
	key, err := signingKey(folder)
	if err != nil {
		return TestServer{}, err
	}
	config := opts.Etcd.StorageConfig
	args := []string{
		"--etcd-prefix=" + config.Prefix, "--etcd-servers=" + strings.Join(config.Transport.ServerList, ","), "--service-cluster-ip-range=10.0.0.0/16",
		"--service-account-issuer=https://foo.bar.example.com", "--service-account-key-file=" + key, "--service-account-signing-key-file=" + key,
	}
	if instance.RequestTimeout > 0 {
		args = append(args, "--request-timeout="+instance.RequestTimeout.String())
	}
	if instance.EnableCertAuth {
		for flag, name := range map[string]string{"requestheader-client-ca-file": "front-proxy-ca", "client-ca-file": "client-ca"} {
			file, err := newCA(folder, name)
			if err != nil {
				return TestServer{}, err
			}
			args = append(args, fmt.Sprintf("--%s=%s", flag, file))
		}
		args = append(args, "--requestheader-allowed-names=ash,misty,brock")
	}
	server, err := external.Start(folder, append(args, flags...)...)
	if err != nil {
		return TestServer{}, err
	}
	if address, err := url.Parse(server.Config.Host); err == nil {
		opts.SecureServing.BindPort, _ = strconv.Atoi(address.Port())
		opts.SecureServing.ExternalAddress = net.ParseIP("127.0.0.1")
	}
	client, _, err := GetEtcdClients(config.Transport)
	if err != nil {
		server.Stop()
		return TestServer{}, err
	}
	stop := func() { server.Stop(); _ = client.Close() }
	return TestServer{ClientConfig: server.Config, ServerOpts: opts, TearDownFn: stop, TmpDir: folder, EtcdClient: client, EtcdStoragePrefix: config.Prefix}, nil
}

func StartTestServerOrDie(t testing.TB, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	server, err := StartTestServer(t, instance, flags, storage)
	if err != nil {
		t.Fatalf("failed to launch server: %v", err)
	}
	return &server
}

// GetEtcdClients connects to an etcd without TLS.
func GetEtcdClients(config storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	client, err := clientv3.New(clientv3.Config{Endpoints: config.ServerList, DialTimeout: 20 * time.Second, DialOptions: []grpc.DialOption{grpc.WithBlock()}})
	if err != nil {
		return nil, nil, err
	}
	if _, err := client.Get(ctx, "kubeloom"); err != nil {
		return nil, nil, err
	}
	return client, clientv3.NewKV(client), nil
}

func signingKey(folder string) (string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	encoded, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "service-account.key")
	return file, os.WriteFile(file, encoded, 0o600)
}

func newCA(folder, name string) (string, error) {
	key, err := testutil.NewPrivateKey()
	if err != nil {
		return "", err
	}
	certificate, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, name+".crt")
	return file, os.WriteFile(file, testutil.EncodeCertPEM(certificate), 0o600)
}
