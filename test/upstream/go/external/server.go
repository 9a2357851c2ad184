// Package external starts Kubeloom where a suite of Kubernetes starts its own server inside the test.
package external

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// program is the environment variable with the path of a program that takes the flags of kube-apiserver.
const program = "KUBELOOM_KUBE_APISERVER"

// Server is a running Kubeloom.
type Server struct {
	Config *rest.Config
	// Folder is for files of the server, until it stops.
	Folder  string
	command *exec.Cmd
	exited  chan struct{}
}

// NewFolder makes a folder for files that flags name. Stop removes it.
func NewFolder() (string, error) { return os.MkdirTemp("", "kubeloom-") }

// Start returns when the server is ready. Without the same feature gates as the test, some tests would be meaningless, so
// the gates that differ from their defaults in this process are set.
func Start(folder string, flags ...string) (*Server, error) {
	kubeconfig := filepath.Join(folder, "kubeconfig")
	args := []string{"--bind-address=127.0.0.1", "--secure-port=0", "--cert-dir=" + filepath.Join(folder, "certs"), "--write-kubeconfig=" + kubeconfig}
	if gates := changedGates(); len(gates) > 0 {
		args = append(args, "--feature-gates="+strings.Join(gates, ","))
	}
	server := &Server{Folder: folder, exited: make(chan struct{}), command: exec.Command(os.Getenv(program), append(args, flags...)...)}
	var output bytes.Buffer
	server.command.Stderr = &output
	server.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := server.command.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	go func() { _ = server.command.Wait(); close(server.exited) }()
	for {
		if _, err := os.Stat(kubeconfig); err == nil {
			break
		}
		select {
		case <-server.exited:
			return nil, fmt.Errorf("the server has not started: %s", strings.TrimSpace(output.String()))
		case <-time.After(5 * time.Millisecond):
		}
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		server.Stop()
		return nil, err
	}
	config.QPS, config.Burst = 1000, 10000
	server.Config = config
	return server, nil
}

// Stop returns when the process has ended.
func (s *Server) Stop() {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(30 * time.Second):
		_ = s.command.Process.Kill()
		<-s.exited
	}
	_ = os.RemoveAll(s.Folder)
}

func changedGates() []string {
	var gates []string
	for name, spec := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if string(name) == "AllAlpha" || string(name) == "AllBeta" || spec.LockToDefault {
			continue
		}
		if enabled := utilfeature.DefaultFeatureGate.Enabled(name); enabled != spec.Default {
			gates = append(gates, fmt.Sprintf("%s=%t", name, enabled))
		}
	}
	return gates
}
