import type { HttpClient } from '../../support/http-client.ts';
import type { TestObject, TestValue } from '../../support/test-object.ts';

/** The resources whose objects are compared. */
const resources: readonly string[] = [
  '/api/v1/namespaces',
  '/api/v1/pods',
  '/api/v1/services',
  '/api/v1/endpoints',
  '/api/v1/replicationcontrollers',
  '/api/v1/resourcequotas',
  '/api/v1/persistentvolumeclaims',
  '/api/v1/persistentvolumes',
  '/api/v1/configmaps',
  '/api/v1/secrets',
  '/api/v1/serviceaccounts',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/statefulsets',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/controllerrevisions',
  '/apis/batch/v1/jobs',
  '/apis/batch/v1/cronjobs',
  '/apis/autoscaling/v2/horizontalpodautoscalers',
  '/apis/policy/v1/poddisruptionbudgets',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
];

/** The objects of a cluster, each as JSON without what is chosen at random or depends on the time, sorted. */
export type EndState = readonly string[];

/** Reads what the steps of a workload have made of a cluster. */
export async function endStateOf(http: HttpClient): Promise<EndState> {
  const lists = await Promise.all(resources.map((path) => http.get(path)));
  return lists
    .flatMap(({ json }) => (json.items as TestObject[]).map((item) => ({ ...item, kind: json.kind.replace(/List$/, '') })))
    .filter(isMade)
    .map((object) => JSON.stringify(sorted(comparable(object))))
    .sort();
}

/** Whether an object is of the workload. Cron jobs start their jobs by the minute, so that their number varies. */
function isMade({ kind, metadata, spec }: TestObject): boolean {
  const isOfCron = metadata.ownerReferences?.some((owner: TestValue) => owner.kind === 'CronJob') ?? false;
  if (isOfCron || metadata.labels?.app === 'cron') return false;
  const place = kind === 'PersistentVolume' ? spec.claimRef?.namespace : (metadata.namespace ?? metadata.name);
  return /^(w|csr|role)-/.test(place ?? '');
}

/** Returns the objects that only one of two states has, each with its sign. */
export function differencesOf(reference: EndState, other: EndState): readonly string[] {
  const only = (state: EndState, known: EndState, sign: string): string[] => {
    const left = [...known];
    return state.flatMap((text) => {
      const at = left.indexOf(text);
      if (at >= 0) left.splice(at, 1);
      return at >= 0 ? [] : [`${sign} ${text}`];
    });
  };
  return [...only(reference, other, '-'), ...only(other, reference, '+')];
}

/** Members that are times, identities, places or of one run. */
const omitted = new Set([
  'uid',
  'extra',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'clusterIP',
  'clusterIPs',
  'podIP',
  'podIPs',
  'hostIP',
  'hostIPs',
  'nodeName',
  'containerID',
  'imageID',
  'certificate',
  'token',
  'ca.crt',
  'volumeName',
  'ip',
  'addresses',
  'collisionCount',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'request',
  'message',
  'lastScheduleTime',
  'lastSuccessfulTime',
  'active',
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubernetes.io/service-account.uid',
]);

const hashes = ['pod-template-hash', 'controller-revision-hash'];
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function comparable(object: TestObject): TestValue {
  // kube-controller-manager counts again only when a pod changes, and writes slices as often as it hears of changes
  if (object.kind === 'PodDisruptionBudget') object = { ...object, status: { conditions: object.status?.conditions } };
  if (object.kind === 'EndpointSlice') object = { ...object, metadata: { ...object.metadata, generation: 0 } };
  let text = JSON.stringify(object, (key, value) =>
    omitted.has(key) || (typeof value === 'string' && time.test(value)) ? undefined : value,
  );
  const { labels = {}, generateName, name = '' } = object.metadata;
  if (generateName !== undefined && !/-\d+$/.test(name)) text = text.replaceAll(name, `${generateName}*`);
  for (const label of hashes) {
    const hash: string = labels[label]?.replace(/^.*-/, '') ?? '';
    if (hash !== '') text = text.replaceAll(hash, '<hash>');
  }
  text = text
    .replaceAll(/\b(dep-\d+)-[a-z0-9]{8,10}\b/g, '$1-<hash>')
    .replaceAll(/\b((?:sta|dae)-\d+)-[a-z0-9]{8,10}\b/g, '$1-<hash>')
    .replaceAll(/\b((?:dep|rep|job|dae)-\d+(?:-<hash>)?)-[a-z0-9]{5}\b/g, '$1-*')
    .replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-*')
    .replaceAll(/\bpvc-[0-9a-f-]{36}/g, 'pvc-*');
  return JSON.parse(text);
}

const isEmpty = (value: TestValue): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** A copy with sorted members, and with lists of objects in the order of their text. */
function sorted(value: TestValue): TestValue {
  if (Array.isArray(value)) {
    const items = value.map(sorted);
    return items.every((item) => typeof item === 'object') ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]));
}
