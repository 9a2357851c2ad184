import { collectionOf, readSubjects, type Subject } from '../../properties/subjects.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

/** Field selectors that some kinds have, with values that some objects have. */
const fields: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.nodeName=',
    'spec.nodeName!=n',
    'status.phase=Pending',
    'spec.restartPolicy=Always',
    'spec.schedulerName=default-scheduler',
    'spec.serviceAccountName=default',
    'spec.hostNetwork=false',
    'status.podIP=',
    'status.nominatedNodeName=',
  ],
  Secret: ['type=Opaque', 'type!=Opaque'],
  Node: ['spec.unschedulable=false', 'spec.unschedulable=true'],
  Namespace: ['status.phase=Active', 'name=default'],
  Event: ['reason=r', 'involvedObject.kind=Pod', 'type=Normal', 'involvedObject.name!=x', 'source=', 'reportingComponent='],
  Job: ['status.successful=0'],
  ReplicaSet: ['status.replicas=0'],
  ReplicationController: ['status.replicas=0'],
  CertificateSigningRequest: ['spec.signerName=a.io/b'],
  Service: ['spec.type=ClusterIP', 'spec.clusterIP=None'],
  ResourceSlice: ['spec.nodeName=n', 'spec.driver=d.io'],
  HorizontalPodAutoscaler: ['spec.scaleTargetRef.name=x'],
};
const anyFields = [
  'metadata.name=a',
  'metadata.name!=a',
  'metadata.namespace=default',
  'metadata.namespace=odd',
  'metadata.name=a,metadata.namespace=default',
  'odd=x',
  'metadata.labels=x',
  'metadata.name=',
  '',
  '=',
  'metadata.name==b',
  'spec.odd!=x',
];
const labels = [
  't=1',
  't!=1',
  't in (1,2)',
  't notin (1)',
  't',
  '!t',
  't=1,u=v',
  't in ()',
  't=',
  'bad key=1',
  't=a b',
  't>1',
  't<2',
  't>x',
  't==2',
  'kubernetes.io/metadata.name=default',
  '(',
  't in (1',
];
const versions = [
  '',
  '',
  '',
  'resourceVersion=0',
  'resourceVersion={rv}',
  'resourceVersion=1',
  'resourceVersion={rv}&resourceVersionMatch=Exact',
  'resourceVersion={rv}&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=NotOlderThan',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=Odd',
  'resourceVersion=9999999999',
  'resourceVersion=9999999999&resourceVersionMatch=NotOlderThan',
  'resourceVersion=-1',
  'resourceVersion=x',
];
const pages = [
  '',
  '',
  'limit=1',
  'limit=2',
  'limit=3',
  'limit=500',
  'limit=0',
  'limit=-1',
  'limit=1&continue={continue}',
  'limit=2&continue={continue}',
  'continue={continue}',
  'continue=x',
  'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0',
  'limit=99999999999999999999',
  'limit=1.5',
];
const forms = [
  'application/json',
  'application/json',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf',
  'text/html',
  'application/*',
  '*/*',
  'application/json;as=Odd;v=v1;g=meta.k8s.io',
  'application/json;pretty=1',
];
const others = [
  'includeObject=Object',
  'includeObject=None',
  'includeObject=Metadata',
  'includeObject=Odd',
  'pretty=true',
  'pretty=false',
  'timeoutSeconds=1',
  'timeoutSeconds=0',
  'timeoutSeconds=x',
  'allowWatchBookmarks=true',
  'allowWatchBookmarks=x',
  'odd=1',
  'watch=false',
  // everything but 0 and false is true
  'watch=x&timeoutSeconds=1',
  'exact=true',
  'sendInitialEvents=false',
  'shardSelector=x',
];
const watches = [
  '',
  'resourceVersion=0',
  'resourceVersion={rv}',
  'resourceVersion=1',
  'resourceVersion=x',
  'resourceVersion=9999999999',
  'resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true',
  'resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersion=0',
  'resourceVersionMatch=NotOlderThan&sendInitialEvents=true',
  'resourceVersionMatch=NotOlderThan&sendInitialEvents=false',
  'resourceVersionMatch=Exact&sendInitialEvents=true',
  'sendInitialEvents=true&allowWatchBookmarks=true',
  'resourceVersionMatch=NotOlderThan',
  'allowWatchBookmarks=true',
  'limit=1',
  'continue=x',
  'resourceVersion=0&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true&limit=1',
];
const watchForms = [
  'application/json',
  'application/json;stream=watch',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/yaml',
  'application/vnd.kubernetes.protobuf;stream=watch;type=x',
];

/** Objects of one kind, and random reads of them. */
function readScene({ title, example, definition, ...subject }: Subject, seed: number): Scene {
  const random = new Choices(seed);
  const collection = collectionOf({ title, example, definition, ...subject });
  const everywhere = collection.replace('/namespaces/default/', '/');
  const requests: Request[] = [];
  if (definition.stored && !unmakeable.includes(definition.kind)) {
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      const metadata = { ...example.metadata, name: name, labels: { t: String(at % 3), ...random.maybe(0.5, { u: 'v' }) } };
      requests.push({ method: 'POST', path: collection, body: { ...example, metadata } });
    }
  }
  const selector = (): string =>
    random.chance(0.5)
      ? `labelSelector=${encodeURIComponent(random.pick(labels))}`
      : `fieldSelector=${encodeURIComponent(random.pick([...(fields[definition.kind] ?? anyFields), ...anyFields]))}`;
  const query = (...parts: readonly string[]): string => {
    const given = parts.filter((part) => part !== '');
    return given.length === 0 ? '' : `?${given.join('&')}`;
  };
  const isListed = definition.verbs.includes('list');
  for (let at = 0; at < 9 && isListed; at++) {
    const place = random.pick([collection, collection, everywhere, collection.replace('/default/', '/absent/')]);
    if (definition.verbs.includes('watch') && random.chance(0.2)) {
      const accept = random.pick(watchForms);
      const path = random.chance(0.1) ? place.replace(/^(\/apis?\/(?:[^/]+\/)?v\w+)\//, '$1/watch/') : place;
      requests.push({
        method: 'GET',
        path: `${path}${query('watch=true', 'timeoutSeconds=1', random.pick(watches), random.chance(0.4) ? selector() : '', random.chance(0.1) ? random.pick(others) : '')}`,
        accept,
      });
    } else {
      const wanted = [
        random.pick(pages),
        random.pick(versions),
        random.chance(0.5) ? selector() : '',
        random.chance(0.1) ? selector() : '',
        random.chance(0.2) ? random.pick(others) : '',
      ];
      requests.push({ method: 'GET', path: `${place}${query(...wanted)}`, accept: random.pick(forms) });
    }
  }
  if (isListed)
    requests.push({ method: 'GET', path: `${collection}?includeObject=${random.pick(['None', 'Metadata', 'Object'])}`, accept: tableForm });
  if (definition.verbs.includes('get')) {
    const accept = random.pick([...forms, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io']);
    requests.push({
      method: 'GET',
      path: `${collection}/a${query(random.chance(0.3) ? random.pick(versions) : '', random.chance(0.2) ? random.pick(others) : '')}`,
      accept,
    });
  }
  return { title, feature: 'lists and watches', seed, requests, collection: '', name: '', isIndependent: true };
}

const tableForm = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** Kinds whose names are not free, or that change other requests. */
const unmakeable = [
  'ServiceCIDR',
  'APIService',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ComponentStatus',
  'IPAddress',
  'CSIDriver',
  'ResourceQuota',
  'LimitRange',
];

/** Reads of objects of each kind, a scene for each. */
export async function reads(): Promise<Source> {
  const subjects = (await readSubjects()).filter(({ definition }) => definition.verbs.includes('get') || definition.verbs.includes('list'));
  return {
    // watches and versions of the future wait for seconds
    lanes: 12,
    scenes: (seed, titles) => subjects.filter(({ title }) => titles.test(title)).map((subject, at) => readScene(subject, seed + 1000 * at)),
  };
}
