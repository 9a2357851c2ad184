import { serviceAccounts } from './accounts.ts';
import { resourceSlices } from './devices.ts';
import { secrets } from './key-pairs.ts';
import { endpointSlices, endpoints, ingresses, networkPolicies } from './networks.ts';
import { nodes, runtimeClasses } from './nodes.ts';
import { pods } from './pods.ts';
import { resourceQuotas } from './quotas.ts';
import type { WarningRules } from './rules.ts';
import { services } from './services.ts';
import { persistentVolumeClaims, persistentVolumes, storageCapacities, storageClasses } from './storage.ts';
import {
  cronJobs,
  daemonSets,
  jobs,
  podTemplates,
  replicated,
  replicationControllers,
  statefulSets,
} from './workloads.ts';

/** What writers of built-in kinds are told, by "group/plural". What they read is alike in all versions. */
export const warningRules: Readonly<Record<string, WarningRules>> = {
  '/endpoints': endpoints,
  '/nodes': nodes,
  '/persistentvolumeclaims': persistentVolumeClaims,
  '/persistentvolumes': persistentVolumes,
  '/pods': pods,
  '/podtemplates': podTemplates,
  '/replicationcontrollers': replicationControllers,
  '/resourcequotas': resourceQuotas,
  '/secrets': secrets,
  '/serviceaccounts': serviceAccounts,
  '/services': services,
  'apps/daemonsets': daemonSets,
  'apps/deployments': replicated,
  'apps/replicasets': replicated,
  'apps/statefulsets': statefulSets,
  'batch/cronjobs': cronJobs,
  'batch/jobs': jobs,
  'discovery.k8s.io/endpointslices': endpointSlices,
  'networking.k8s.io/ingresses': ingresses,
  'networking.k8s.io/networkpolicies': networkPolicies,
  'node.k8s.io/runtimeclasses': runtimeClasses,
  'resource.k8s.io/resourceslices': resourceSlices,
  'storage.k8s.io/csistoragecapacities': storageCapacities,
  'storage.k8s.io/storageclasses': storageClasses,
};
