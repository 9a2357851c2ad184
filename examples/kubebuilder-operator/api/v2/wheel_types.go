// Package v2 has wheels whose spokes are counted.
package v2

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/controller-runtime/pkg/scheme"

	v1 "example.com/wheels/api/v1"
)

var (
	GroupVersion  = schema.GroupVersion{Group: "example.com", Version: "v2"}
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	AddToScheme   = SchemeBuilder.AddToScheme
)

type WheelSpec struct {
	SpokeCount int32 `json:"spokeCount,omitempty"`
}

// Wheel is something that turns.
type Wheel struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WheelSpec      `json:"spec,omitempty"`
	Status            v1.WheelStatus `json:"status,omitempty"`
}

type WheelList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Wheel `json:"items"`
}

func (in *Wheel) ConvertTo(hub conversion.Hub) error {
	to := hub.(*v1.Wheel)
	to.ObjectMeta, to.Status = in.ObjectMeta, in.Status
	to.Spec.Spokes = in.Spec.SpokeCount
	return nil
}

func (in *Wheel) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*v1.Wheel)
	in.ObjectMeta, in.Status = from.ObjectMeta, from.Status
	in.Spec.SpokeCount = from.Spec.Spokes
	return nil
}

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
