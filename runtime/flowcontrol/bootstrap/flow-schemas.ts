import { privilegedGroup } from '../../machinery/user-info.ts';
import { catchAllName, exemptName, type FlowSchema, flowControlGroup, type RuleSpec } from '../objects.ts';
import { autoUpdateAnnotation } from './auto-update.ts';
import { allPaths, allResources, everybody, groups, systemServiceAccounts, users } from './subjects.ts';

/** The values of apiserver pkg/apis/flowcontrol/bootstrap/default.go. */

const everything = { resourceRules: [allResources], nonResourceRules: [allPaths] };
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], clusterScope: false, namespaces: ['*'] };

export const mandatoryFlowSchemas: readonly FlowSchema[] = [
  schema(exemptName, 1, exemptName, undefined, { subjects: groups(privilegedGroup), ...everything }),
  schema(catchAllName, 10_000, catchAllName, 'ByUser', { subjects: everybody, ...everything }),
];

/** In the order in which they are asked. */
export const suggestedFlowSchemas: readonly FlowSchema[] = [
  schema('probes', 2, exemptName, undefined, {
    subjects: everybody,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  schema('system-leader-election', 100, 'leader-election', 'ByUser', {
    subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...systemServiceAccounts],
    resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }],
  }),
  schema('system-node-high', 400, 'node-high', 'ByUser', {
    subjects: groups('system:nodes'),
    resourceRules: [
      { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
      { verbs: ['*'], ...leases },
    ],
  }),
  schema('system-nodes', 500, 'system', 'ByUser', { subjects: groups('system:nodes'), ...everything }),
  schema('kube-controller-manager', 800, 'workload-high', 'ByNamespace', {
    subjects: users('system:kube-controller-manager'),
    ...everything,
  }),
  schema('kube-scheduler', 800, 'workload-high', 'ByNamespace', {
    subjects: users('system:kube-scheduler'),
    ...everything,
  }),
  schema('kube-system-service-accounts', 900, 'workload-high', 'ByNamespace', {
    subjects: systemServiceAccounts,
    ...everything,
  }),
  schema('service-accounts', 9000, 'workload-low', 'ByUser', {
    subjects: groups('system:serviceaccounts'),
    ...everything,
  }),
  schema('global-default', 9900, 'global-default', 'ByUser', { subjects: everybody, ...everything }),
];

function schema(
  name: string,
  matchingPrecedence: number,
  level: string,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rule: RuleSpec,
): FlowSchema {
  return {
    apiVersion: `${flowControlGroup}/v1`,
    kind: 'FlowSchema',
    metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence,
      ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
      rules: [rule],
    },
  };
}
