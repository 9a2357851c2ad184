import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { KubeApiserver, missingKubeApiserver } from '../../support/kube-apiserver.ts';
import { missingShared, sharedFolder } from '../../support/shared-folder.ts';
import { type Credentials, RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';
import { startKubeloom } from '../target.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** How often each definition is posted, each time in another group. */
const copies = 9;
/** Definitions that are posted at once. */
const connectionCount = 4;
const json = { 'content-type': 'application/json' };

interface Definition {
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { group: string; names: { plural: string }; versions: readonly { name: string; served: boolean }[]; conversion?: unknown };
  status?: unknown;
}

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
}

/**
 * The definitions of real projects, in nine groups each: posted, and served. Beside kube-apiserver where KUBE_HOME names a folder
 * with its programs. DEFINITIONS names the folder with the YAML files; default: the corpus of the shared folder.
 */
export async function corpus(report: Report): Promise<void> {
  const folder = process.env.DEFINITIONS ?? (missingShared === undefined ? join(sharedFolder, 'corpus/crds') : undefined);
  if (folder === undefined) {
    console.error('  corpus: left out, DEFINITIONS names no folder of CustomResourceDefinitions');
    return;
  }
  const definitions = readDefinitions(folder);
  const ours = await measureKubeloom(definitions);
  const theirs = missingKubeApiserver === undefined ? await measureKubeApiserver(definitions) : undefined;
  const size = Math.round(definitions.reduce((sum, { length }) => sum + length, 0) / 1e6);
  const text = ({ seconds, megabytes }: Measured): string => `${seconds.toFixed(1)} s, ${Math.round(megabytes)} MiB`;
  const peer = theirs === undefined ? '' : `${text(theirs)} (kube-apiserver)`;
  report.row(`${definitions.length} definitions of real projects (${size} MB), posted and served; resident`, text(ours), peer, '');
}

/** Returns the bodies of the requests. */
function readDefinitions(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file));
  const originals = files
    .sort()
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), 'utf8')))
    .map((document) => document.toJS())
    .filter((object) => object?.kind === 'CustomResourceDefinition') as Definition[];
  return Array.from({ length: copies }, (_, copy) => originals.map((original) => JSON.stringify(inGroup(original, copy)))).flat();
}

/** Conversion webhooks do not exist here. Groups of Kubernetes need an approval. */
function inGroup({ status: _, ...original }: Definition, copy: number): Definition {
  const { conversion, ...spec } = original.spec;
  if (copy === 0) return { ...original, spec };
  const group = `g${copy}.${spec.group}`;
  const annotations = { 'api-approved.kubernetes.io': 'unapproved, a benchmark' };
  return { ...original, metadata: { name: `${spec.names.plural}.${group}`, annotations }, spec: { ...spec, group } };
}

async function measureKubeloom(definitions: readonly string[]): Promise<Measured> {
  const server = await startKubeloom(['--storage=memory']);
  try {
    return { seconds: await postAll(server.credentials, definitions), megabytes: server.rss() };
  } finally {
    await server.close();
  }
}

async function measureKubeApiserver(definitions: readonly string[]): Promise<Measured> {
  const server = await KubeApiserver.start();
  try {
    const { caCertificate: ca, clientCertificate: cert, clientKey: key } = server;
    const seconds = await postAll({ host: '127.0.0.1', port: Number(new URL(server.url).port), ca, cert, key }, definitions);
    return { seconds, megabytes: server.rss() };
  } finally {
    await server.stop();
  }
}

/** Returns the seconds until each resource can be listed. */
async function postAll(credentials: Credentials, definitions: readonly string[]): Promise<number> {
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => RawConnection.open(credentials)));
  const started = performance.now();
  const rest = [...definitions];
  const each = async (connection: RawConnection): Promise<void> => {
    for (let body = rest.shift(); body !== undefined; body = rest.shift()) {
      const { status, body: response } = await connection.send(RawConnection.request('POST', path, body, json), true);
      if (status !== 201) throw new Error(`a definition was answered with ${status}: ${response}`);
    }
  };
  await Promise.all(connections.map(each));
  for (const body of definitions) await untilServed(connections[0], JSON.parse(body));
  const seconds = (performance.now() - started) / 1000;
  for (const connection of connections) connection.close();
  return seconds;
}

async function untilServed(connection: RawConnection, { spec }: Definition): Promise<void> {
  const version = spec.versions.find(({ served }) => served);
  const list = RawConnection.request('GET', `/apis/${spec.group}/${version?.name}/${spec.names.plural}?limit=1`);
  while ((await connection.send(list)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
}
