import { setTimeout } from 'node:timers/promises';
import { pod } from '../../bench/fixtures.ts';
import type { World } from '../world.ts';
import { attacker } from './attacker.ts';
import { breaker } from './breaker.ts';
import { definer } from './definer.ts';
import { http2Client, watcher, webSocketClient } from './watchers.ts';

/** One step of a client, called repeatedly. */
export type Role = (world: World) => Promise<void>;

const namespace = '/api/v1/namespaces/default';
const maps = `${namespace}/configmaps`;
const someName = ({ random }: World, of = 20): string => `soak-${random.between(1, of)}`;
const map = (name: string, value: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { soak: value.slice(0, 5) }, finalizers: [] },
  data: { value },
});

const writer: Role = async (world) => {
  const name = someName(world);
  const value = `v${world.random.between(0, 1e6)}`;
  switch (world.random.between(0, 7)) {
    case 0:
    case 1:
      await world.send('POST', maps, map(name, value));
      return;
    case 2:
      await world.send('PUT', `${maps}/${name}`, map(name, value));
      return;
    case 3:
      await world.send('PATCH', `${maps}/${name}`, { data: { value } }, 'application/merge-patch+json');
      return;
    case 4: {
      const operations = [{ op: 'add', path: '/data', value: { value } }];
      await world.send('PATCH', `${maps}/${name}`, operations, 'application/json-patch+json');
      return;
    }
    case 5:
      await world.send('POST', `${namespace}/pods`, pod(name));
      return;
    case 6:
      await world.send('DELETE', `${namespace}/pods/${name}?gracePeriodSeconds=0`);
      return;
    default:
      await world.send('DELETE', `${maps}/${name}`);
  }
};

const applier: Role = async (world) => {
  const name = someName(world);
  const labels = { app: name };
  const containers = Array.from({ length: world.random.between(1, 5) }, (_, at) => ({ name: `c${at}`, image: 'i' }));
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
  const path = `/apis/apps/v1/namespaces/default/deployments/${name}`;
  if (world.random.chance(0.2)) await world.send('DELETE', path);
  else {
    const manager = `manager-${world.random.between(1, 3)}`;
    await world.send('PATCH', `${path}?fieldManager=${manager}&force=true`, deployment, 'application/apply-patch+yaml');
  }
};

const forms = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
];
const lister: Role = async (world) => {
  const { random } = world;
  const query = random.pick(['', '?limit=3', '?labelSelector=soak!=v1', '?fieldSelector=metadata.name!=x']);
  const path = random.pick([maps, `${namespace}/pods`, '/api/v1/configmaps', '/apis', '/openapi/v3', '/metrics']);
  const isList = path.startsWith('/api/');
  const response = await world.send('GET', isList ? path + query : path, undefined, '', isList ? random.pick(forms) : '*/*');
  const next = response.json?.metadata?.continue;
  if (next) await world.send('GET', `${path}?limit=3&continue=${next}`);
};

const namespaces: Role = async (world) => {
  const name = `soak-${world.random.between(1, 1e9)}`;
  await world.send('POST', '/api/v1/namespaces', { metadata: { name } });
  for (let at = 0; at < 5; at++) {
    await world.send('POST', `/api/v1/namespaces/${name}/configmaps`, map(`m${at}`, 'value'));
  }
  await world.send('DELETE', `/api/v1/namespaces/${name}`);
  await setTimeout(200);
};

/** Sends valid bodies of one to three mebibytes. */
const heavy: Role = async (world) => {
  const entries = world.random.between(10_000, 25_000);
  const spec = Array.from({ length: entries }, (_, at) => `key-${at}: "${'value '.repeat(14)}"`);
  const isYaml = world.random.chance(0.5);
  const type = isYaml ? 'application/yaml' : 'application/json';
  const body = isYaml
    ? `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: heavy\nunknown:\n  ${spec.join('\n  ')}\n`
    : `{"metadata":{"name":"heavy"},"unknown":{${spec.map((line) => `"${line.replace(': ', '": ')}`).join(',')}}}`;
  await world.send('POST', `${maps}?dryRun=All&fieldValidation=Ignore`, body, type);
  await setTimeout(300);
};

/** The mix. Each entry is one client, and some roles occur twice. */
export const roles: Readonly<Record<string, Role>> = {
  writer,
  'writer two': writer,
  applier,
  lister,
  'lister two': lister,
  namespaces,
  heavy,
  watcher,
  webSocketClient,
  http2Client,
  definer,
  breaker,
  attacker,
};
