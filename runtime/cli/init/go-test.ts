import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InitProject, Template } from './template.ts';

export const go: Template = {
  name: 'go',
  about: 'a test of an operator, in Go',
  files: (project) => ({ 'operator_test.go': goTest(packageOf(project)) }),
  commands: ({ kits }) => [
    ...(kits === undefined ? [] : [`go mod edit -require=${module}@v0.0.0 -replace=${module}=${join(kits, 'go')}`]),
    'go mod tidy',
    'go test ./...',
  ],
  document: 'docs/testing.md',
};

const module = 'kubeloom.dev/kubeloom';

/** Returns the package of a test outside of the folder's package. */
function packageOf({ folder }: InitProject): string {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.go'))) {
    const [, found] = /^package (\w+)/m.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    if (found !== undefined) return found.endsWith('_test') ? found : `${found}_test`;
  }
  return 'operator_test';
}

const goTest = (name: string): string => `package ${name}

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"${module}"
)

var settings = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "settings"}, Data: map[string]string{"size": "1"}}

func TestConfigMapIsStored(t *testing.T) {
	server := kubeloom.Start(t) // ends with the test
	// Start your operator with server.Config, a *rest.Config.
	configMaps := kubernetes.NewForConfigOrDie(server.Config).CoreV1().ConfigMaps("default")
	if _, err := configMaps.Create(t.Context(), settings, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	// waits until the object is as expected, for example after the operator has changed it
	kubeloom.Eventually(t, func() error {
		_, err := configMaps.Get(t.Context(), settings.Name, metav1.GetOptions{})
		return err
	})
}

func TestForbiddenWriteFails(t *testing.T) {
	server := kubeloom.Start(t)
	server.Fault(t, kubeloom.FaultPlanSpec{
		Match:      &kubeloom.RequestMatch{Verbs: []string{"create"}, Resources: []string{"configmaps"}},
		Occurrence: &kubeloom.FaultOccurrence{Count: 1},
		Fault:      kubeloom.Fault{Status: &kubeloom.StatusFault{Code: 403}},
	})
	configMaps := kubernetes.NewForConfigOrDie(server.Config).CoreV1().ConfigMaps("default")
	if _, err := configMaps.Create(t.Context(), settings, metav1.CreateOptions{}); !apierrors.IsForbidden(err) {
		t.Fatalf("want forbidden, got %v", err)
	}
}
`;
