// Package v1 has the stored version of wheels.
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	GroupVersion  = schema.GroupVersion{Group: "example.com", Version: "v1"}
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	AddToScheme   = SchemeBuilder.AddToScheme
)

type WheelSpec struct {
	// Spokes is 32 by default.
	Spokes int32 `json:"spokes,omitempty"`
}

type WheelStatus struct {
	Message string `json:"message,omitempty"`
}

// Wheel is something that turns.
type Wheel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WheelSpec   `json:"spec,omitempty"`
	Status            WheelStatus `json:"status,omitempty"`
}

type WheelList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Wheel `json:"items"`
}

// Hub marks the version to which others are converted.
func (*Wheel) Hub() {}

func (in *Wheel) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (in *WheelList) DeepCopyObject() runtime.Object {
	out := *in
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Wheel, len(in.Items))
	for i := range in.Items {
		out.Items[i] = *in.Items[i].DeepCopyObject().(*Wheel)
	}
	return &out
}

func init() {
	SchemeBuilder.Register(&Wheel{}, &WheelList{})
}
