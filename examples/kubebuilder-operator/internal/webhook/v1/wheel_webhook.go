// Package v1 has the webhooks of wheels.
package v1

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	v1 "example.com/wheels/api/v1"
)

const maxSpokes = 100

type wheelWebhook struct{}

func (wheelWebhook) Default(_ context.Context, wheel *v1.Wheel) error {
	if wheel.Spec.Spokes == 0 {
		wheel.Spec.Spokes = 32
	}
	return nil
}

func (wheelWebhook) ValidateCreate(_ context.Context, wheel *v1.Wheel) (admission.Warnings, error) {
	return nil, validate(wheel)
}

func (wheelWebhook) ValidateUpdate(_ context.Context, _, wheel *v1.Wheel) (admission.Warnings, error) {
	return nil, validate(wheel)
}

func (wheelWebhook) ValidateDelete(context.Context, *v1.Wheel) (admission.Warnings, error) {
	return nil, nil
}

func validate(wheel *v1.Wheel) error {
	if wheel.Spec.Spokes > maxSpokes {
		return fmt.Errorf("a wheel has %d spokes at most", maxSpokes)
	}
	return nil
}

func SetupWheelWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &v1.Wheel{}).
		WithDefaulter(wheelWebhook{}).
		WithValidator(wheelWebhook{}).
		Complete()
}
