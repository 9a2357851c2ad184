// Package controller makes wheels turn.
package controller

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "example.com/wheels/api/v1"
)

type WheelReconciler struct {
	client.Client
}

// Reconcile writes a message about the wheel into its status.
func (r *WheelReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var wheel v1.Wheel
	if err := r.Get(ctx, req.NamespacedName, &wheel); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	message := fmt.Sprintf("turns on %d spokes", wheel.Spec.Spokes)
	if wheel.Status.Message == message {
		return ctrl.Result{}, nil
	}
	wheel.Status.Message = message
	return ctrl.Result{}, r.Status().Update(ctx, &wheel)
}

func (r *WheelReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&v1.Wheel{}).Complete(r)
}
