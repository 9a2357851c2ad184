/** The packages below kubernetes/pkg/apis whose name is not the first label of their group. */
const packages: Readonly<Record<string, string>> = {
  '': 'core',
  'events.k8s.io': 'core',
  'internal.apiserver.k8s.io': 'apiserverinternal',
};

/** Returns the Go name of a kind's internal type, which errors of upstream contain, as `core.Pod`. */
export function internalGoType({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${packages[group] ?? group.split('.')[0]}.${kind}`;
}
