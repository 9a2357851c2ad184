import type { Catalog } from '../machinery/catalog.ts';
import { restrictCatalog } from './restricted-catalog.ts';

/**
 * What a control plane for groups of one's own needs of Kubernetes' groups: namespaces, events, access control, custom
 * resources, flow control and leases. By group; the core group in part.
 */
const kept: Readonly<Record<string, readonly string[] | 'all'>> = {
  '': ['namespaces', 'events'],
  'events.k8s.io': 'all',
  'authentication.k8s.io': 'all',
  'authorization.k8s.io': 'all',
  'rbac.authorization.k8s.io': 'all',
  'apiextensions.k8s.io': 'all',
  'flowcontrol.apiserver.k8s.io': 'all',
  'coordination.k8s.io': 'all',
};

/** The catalog without kinds that run workloads. */
export function controlPlane(catalog: Catalog): Catalog {
  return restrictCatalog(catalog, ({ group }, resource) => {
    const resources = kept[group];
    return resources === 'all' || resources?.includes(resource) === true;
  });
}
