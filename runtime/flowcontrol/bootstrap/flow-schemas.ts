import { privilegedGroup } from '../../machinery/user-info.ts';
import {
  autoUpdateAnnotation,
  catchAllName,
  exemptName,
  type FlowSchema,
  flowControlGroup,
  type NonResourcePolicyRule,
  type PolicyRulesWithSubjects,
  type ResourcePolicyRule,
  type Subject,
} from '../objects.ts';

// the values of apiserver pkg/apis/flowcontrol/bootstrap/default.go

const groups = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'Group', group: { name } }));
const users = (...names: string[]): Subject[] => names.map((name) => ({ kind: 'User', user: { name } }));

const systemAccounts = (...names: string[]): Subject[] =>
  names.map((name) => ({ kind: 'ServiceAccount', serviceAccount: { name, namespace: 'kube-system' } }));

const systemServiceAccounts = systemAccounts('*');

const allUsers = groups('system:unauthenticated', 'system:authenticated');

const allResources: ResourcePolicyRule = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};

const allPaths: NonResourcePolicyRule = { verbs: ['*'], nonResourceURLs: ['*'] };

const everything = { resourceRules: [allResources], nonResourceRules: [allPaths] };
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], clusterScope: false, namespaces: ['*'] };

export const mandatoryFlowSchemas: readonly FlowSchema[] = [
  schema(exemptName, {
    matchingPrecedence: 1,
    priorityLevel: exemptName,
    subjects: groups(privilegedGroup),
    ...everything,
  }),
  schema(catchAllName, {
    matchingPrecedence: 10_000,
    priorityLevel: catchAllName,
    distinguisher: 'ByUser',
    subjects: allUsers,
    ...everything,
  }),
];

/** Flow schemas of releases before 1.34, which also know leaders elected by endpoints and config maps. */
const electedByEndpoints: readonly FlowSchema[] = [
  schema('endpoint-controller', {
    matchingPrecedence: 150,
    priorityLevel: 'workload-high',
    distinguisher: 'ByUser',
    subjects: [...users('system:kube-controller-manager'), ...systemAccounts('endpoint-controller', 'endpointslicemirroring-controller')],
    resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases, apiGroups: [''], resources: ['endpoints'] }],
  }),
  schema('workload-leader-election', {
    matchingPrecedence: 200,
    priorityLevel: 'leader-election',
    distinguisher: 'ByUser',
    subjects: systemServiceAccounts,
    resourceRules: [
      { verbs: ['get', 'create', 'update'], ...leases, apiGroups: [''], resources: ['endpoints', 'configmaps'] },
      { verbs: ['get', 'create', 'update'], ...leases },
    ],
  }),
];

/** Returns the suggested flow schemas of a minor release, such as 35, in any order. */
export const suggestedFlowSchemasOf = (minor: number): readonly FlowSchema[] =>
  minor < 34 ? [...suggestedFlowSchemas, ...electedByEndpoints] : suggestedFlowSchemas;

/** The suggested flow schemas of the newest releases, in matching order. */
export const suggestedFlowSchemas: readonly FlowSchema[] = [
  schema('probes', {
    matchingPrecedence: 2,
    priorityLevel: exemptName,
    subjects: allUsers,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  schema('system-leader-election', {
    matchingPrecedence: 100,
    priorityLevel: 'leader-election',
    distinguisher: 'ByUser',
    subjects: [...users('system:kube-controller-manager', 'system:kube-scheduler'), ...systemServiceAccounts],
    resourceRules: [{ verbs: ['get', 'create', 'update'], ...leases }],
  }),
  schema('system-node-high', {
    matchingPrecedence: 400,
    priorityLevel: 'node-high',
    distinguisher: 'ByUser',
    subjects: groups('system:nodes'),
    resourceRules: [
      { verbs: ['*'], apiGroups: [''], resources: ['nodes', 'nodes/status'], clusterScope: true, namespaces: ['*'] },
      { verbs: ['*'], ...leases },
    ],
  }),
  schema('system-nodes', {
    matchingPrecedence: 500,
    priorityLevel: 'system',
    distinguisher: 'ByUser',
    subjects: groups('system:nodes'),
    ...everything,
  }),
  schema('kube-controller-manager', {
    matchingPrecedence: 800,
    priorityLevel: 'workload-high',
    distinguisher: 'ByNamespace',
    subjects: users('system:kube-controller-manager'),
    ...everything,
  }),
  schema('kube-scheduler', {
    matchingPrecedence: 800,
    priorityLevel: 'workload-high',
    distinguisher: 'ByNamespace',
    subjects: users('system:kube-scheduler'),
    ...everything,
  }),
  schema('kube-system-service-accounts', {
    matchingPrecedence: 900,
    priorityLevel: 'workload-high',
    distinguisher: 'ByNamespace',
    subjects: systemServiceAccounts,
    ...everything,
  }),
  schema('service-accounts', {
    matchingPrecedence: 9000,
    priorityLevel: 'workload-low',
    distinguisher: 'ByUser',
    subjects: groups('system:serviceaccounts'),
    ...everything,
  }),
  schema('global-default', {
    matchingPrecedence: 9900,
    priorityLevel: 'global-default',
    distinguisher: 'ByUser',
    subjects: allUsers,
    ...everything,
  }),
];

interface FlowSchemaOptions extends PolicyRulesWithSubjects {
  readonly matchingPrecedence: number;
  readonly priorityLevel: string;
  readonly distinguisher?: 'ByUser' | 'ByNamespace';
}

function schema(name: string, options: FlowSchemaOptions): FlowSchema {
  const { matchingPrecedence, priorityLevel, distinguisher, ...rule } = options;
  return {
    apiVersion: `${flowControlGroup}/v1`,
    kind: 'FlowSchema',
    metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } },
    spec: {
      priorityLevelConfiguration: { name: priorityLevel },
      matchingPrecedence,
      ...(distinguisher === undefined ? {} : { distinguisherMethod: { type: distinguisher } }),
      rules: [rule],
    },
  };
}
