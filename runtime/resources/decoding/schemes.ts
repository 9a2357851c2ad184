import type { GroupVersionKind } from '../../machinery/gvk.ts';

/** Groups of servers within kube-apiserver that have schemes of their own. (apiextensions-apiserver, kube-aggregator) */
const ownSchemes: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Reports whether the scheme that decodes one kind may have the other one, too. */
export const shareScheme = (a: Pick<GroupVersionKind, 'group'>, b: Pick<GroupVersionKind, 'group'>): boolean =>
  a.group === b.group || !(ownSchemes.has(a.group) || ownSchemes.has(b.group));
