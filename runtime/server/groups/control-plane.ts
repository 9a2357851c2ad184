import type { Catalog } from '../../machinery/catalog.ts';
import { restrictCatalog } from './restricted-catalog.ts';

/**
 * The resources of a generic control plane by group: namespaces, events, access control, custom resources, flow control
 * and leases. (pkg/controlplane/apiserver)
 */
const genericResources: Readonly<Record<string, readonly string[] | 'all'>> = {
  '': ['namespaces', 'events'],
  'events.k8s.io': 'all',
  'authentication.k8s.io': 'all',
  'authorization.k8s.io': 'all',
  'rbac.authorization.k8s.io': 'all',
  'apiextensions.k8s.io': 'all',
  'flowcontrol.apiserver.k8s.io': 'all',
  'coordination.k8s.io': 'all',
};

/** Returns the catalog of a generic control plane, without the kinds that run workloads. */
export function genericControlPlane(catalog: Catalog): Catalog {
  return restrictCatalog(catalog, ({ group }, resource) => {
    const resources = genericResources[group];
    return resources === 'all' || resources?.includes(resource) === true;
  });
}
