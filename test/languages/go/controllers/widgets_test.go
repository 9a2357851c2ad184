package controllers

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func newWidget() *unstructured.Unstructured {
	widget := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{}}}
	widget.SetAPIVersion("example.com/v1")
	widget.SetKind("Widget")
	widget.SetNamespace("default")
	widget.SetName("one")
	return widget
}

func TestDefinitionsOfTheFolderAreInstalled(t *testing.T) {
	Reset(t)
	widget := newWidget()
	if err := cluster.Create(context.Background(), widget); err != nil {
		t.Fatal(err)
	}
	if size, _, _ := unstructured.NestedInt64(widget.Object, "spec", "size"); size != 3 {
		t.Fatalf("want the default 3, got %d", size)
	}
}

func TestResetRemovesWhatAnotherTestHasLeft(t *testing.T) {
	Reset(t)
	err := cluster.Get(context.Background(), client.ObjectKeyFromObject(newWidget()), newWidget())
	if !apierrors.IsNotFound(err) {
		t.Fatalf("want NotFound, got %v", err)
	}
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "settings"}}
	if err := cluster.Create(context.Background(), settings); err != nil {
		t.Fatal(err)
	}
}
