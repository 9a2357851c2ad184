package kubeloom

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var groupVersion = schema.GroupVersion{Group: "testing.kubeloom.dev", Version: "v1alpha1"}

// Server is a running API server, or a fork of one.
type Server struct {
	// Config is for clients of the administrator.
	Config *rest.Config
	// Kubeconfig is a path; "" for a fork.
	Kubeconfig string

	process  *process
	controls rest.Interface
	// origin and fork are set for forks.
	origin *Server
	fork   string
}

// Control is an object of testing.kubeloom.dev.
type Control interface {
	metav1.Object
	kindAndResource() (kind, resource string)
}

// connect makes the client of the controls from Config.
func (s *Server) connect() (err error) {
	controls := rest.CopyConfig(s.Config)
	controls.APIPath = "/apis"
	controls.GroupVersion = &groupVersion
	controls.NegotiatedSerializer = serializer.NewCodecFactory(scheme.Scheme).WithoutConversion()
	controls.UserAgent = "kubeloom-go/" + Version
	controls.QPS = -1
	s.controls, err = rest.RESTClientFor(controls)
	return err
}

// Create sends an object of testing.kubeloom.dev, and fills it with the response.
func (s *Server) Create(ctx context.Context, object Control) error {
	kind, resource := object.kindAndResource()
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	var members map[string]any
	if err := json.Unmarshal(body, &members); err != nil {
		return err
	}
	members["apiVersion"], members["kind"] = groupVersion.String(), kind
	if body, err = json.Marshal(members); err != nil {
		return err
	}
	response, err := s.controls.Post().Resource(resource).SetHeader("Content-Type", "application/json").Body(body).Do(ctx).Raw()
	if err != nil {
		return statusError(response, err)
	}
	return json.Unmarshal(response, object)
}

// Get fills an object of testing.kubeloom.dev that has its name.
func (s *Server) Get(ctx context.Context, object Control) error {
	_, resource := object.kindAndResource()
	response, err := s.controls.Get().Resource(resource).Name(object.GetName()).Do(ctx).Raw()
	if err != nil {
		return statusError(response, err)
	}
	return json.Unmarshal(response, object)
}

// Delete deletes an object of testing.kubeloom.dev that has its name.
func (s *Server) Delete(ctx context.Context, object Control) error {
	_, resource := object.kindAndResource()
	response, err := s.controls.Delete().Resource(resource).Name(object.GetName()).Do(ctx).Raw()
	return statusError(response, err)
}

// statusError returns the message of the Status that the server sent.
func statusError(response []byte, err error) error {
	var status metav1.Status
	if err != nil && json.Unmarshal(response, &status) == nil && status.Message != "" {
		return fmt.Errorf("%s", status.Message)
	}
	return err
}

// OpenFork starts a server with the same objects, or those of a snapshot. They are shared until one of the two changes them.
func (s *Server) OpenFork(ctx context.Context, spec ServerForkSpec) (*Server, error) {
	object := &ServerFork{ObjectMeta: metav1.ObjectMeta{GenerateName: "fork-"}, Spec: &spec}
	if err := s.Create(ctx, object); err != nil {
		return nil, err
	}
	config, err := clientcmd.RESTConfigFromKubeConfig([]byte(object.Status.Kubeconfig))
	if err != nil {
		return nil, err
	}
	fork := &Server{Config: config, origin: s, fork: object.Name}
	if err := fork.connect(); err != nil {
		fork.Close()
		return nil, err
	}
	return fork, nil
}

// Close ends the server.
func (s *Server) Close() {
	if s.origin == nil {
		s.process.close()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = s.origin.Delete(ctx, &ServerFork{ObjectMeta: metav1.ObjectMeta{Name: s.fork}})
}
