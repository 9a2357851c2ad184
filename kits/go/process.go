package kubeloom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// process is a running `kubeloom serve`.
type process struct {
	folder string
	input  io.Closer
	exited chan struct{}
	output bytes.Buffer
}

// Command returns the program and the arguments before its own: those of KUBELOOM, which may be the path of an executable or of
// dist/runtime/cli/main.js, or kubeloom on the PATH.
func Command() ([]string, error) {
	if path := os.Getenv("KUBELOOM"); path != "" {
		if strings.HasSuffix(path, ".js") {
			return []string{"node", path}, nil
		}
		return []string{path}, nil
	}
	path, err := exec.LookPath("kubeloom")
	if err != nil {
		return nil, errors.New("there is no kubeloom on the PATH: install one, with `npm install --global kubeloom` or as an executable, or set KUBELOOM to its path")
	}
	return []string{path}, nil
}

// Open starts a server that ends by Close. Start is shorter in a test; Open is for TestMain.
func Open(ctx context.Context, flags ...string) (*Server, error) {
	command, err := Command()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "kubeloom-")
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	args := append(command[1:], "serve", "--storage=memory", "--secure-port=0", "--cert-dir="+filepath.Join(folder, "certs"),
		"--test-controls", "--exit-with-stdin", "--write-kubeconfig="+kubeconfig)
	p := &process{folder: folder, exited: make(chan struct{})}
	server := &Server{Kubeconfig: kubeconfig, process: p}
	cmd := exec.Command(command[0], append(args, flags...)...)
	cmd.Stderr = &p.output
	if p.input, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("%s: %w", command[0], err)
	}
	go func() { _ = cmd.Wait(); close(p.exited) }()
	err = p.waitFor(ctx, kubeconfig)
	if err == nil {
		server.Config, err = clientcmd.BuildConfigFromFlags("", kubeconfig)
	}
	if err == nil {
		err = server.connect()
	}
	if err != nil {
		server.Close()
		return nil, err
	}
	return server, nil
}

// waitFor returns when the file is there. The server writes it whole when it is ready.
func (p *process) waitFor(ctx context.Context, file string) error {
	for {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
		select {
		case <-p.exited:
			return fmt.Errorf("kubeloom has not started: %s", strings.TrimSpace(p.output.String()))
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// close ends the server, which stops when its input ends.
func (p *process) close() {
	_ = p.input.Close()
	<-p.exited
	_ = os.RemoveAll(p.folder)
}
