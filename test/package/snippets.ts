import { type Block, blocksOf, fileOf } from '../support/document-blocks.ts';

/** A TypeScript block of a document, with the code that it assumes. */
export interface Snippet {
  readonly document: string;
  /** The index among the TypeScript blocks that name no file. */
  readonly index: number;
  readonly before?: string;
  /** The code for a comment that begins with three dots. */
  readonly meanwhile?: string;
  readonly after?: string;
}

const importServer = "import { startServer } from 'kubeloom';";
const importClient = "import { createClient } from 'kubeloom/generated/v1.35/client';";

/** Creates a pod with a client whose response may be lost. */
const createPod = (namespace: string, credentials: string): string => `
const operator = createClient({
  server: server.url,
  ca: server.caCertificate,
  cert: server.clientCertificate,
  key: server.clientKey,
  ${credentials},
});
await operator.core.v1.pods
  .namespace('${namespace}')
  .create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } })
  .catch(() => undefined);
operator.close();
`;

/** Allows everything to the user of the plan in docs/faults.md. */
const allowOperator = `
const admin = await server.client();
await admin.core.v1.namespaces.create({ metadata: { name: 'fleet' } });
await admin.core.v1.serviceaccounts.namespace('fleet').create({ metadata: { name: 'operator' } });
await admin.core.v1.serviceaccounts.namespace('fleet').create({ metadata: { name: 'default' } }).catch(() => undefined);
await admin.rbac.v1.clusterrolebindings.create({
  metadata: { name: 'operator' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace: 'fleet' }],
});
`;

/** The blocks that are whole programs except for this code. */
export const snippets: readonly Snippet[] = [
  { document: 'README.md', index: 0 },
  {
    document: 'README.md',
    index: 1,
    before: importServer + importClient,
    meanwhile: createPod('default', "userAgent: 'my-operator/1.0'"),
    after: 'await fork.close();\nawait server.close();',
  },
  {
    document: 'docs/faults.md',
    index: 0,
    before: importClient,
    meanwhile: allowOperator + createPod('fleet', "headers: { 'Impersonate-User': 'system:serviceaccount:fleet:operator' }"),
    after: 'await server.close();',
  },
  { document: 'docs/fixtures.md', index: 0, before: importServer, after: 'await server.close();' },
  {
    document: 'docs/fixtures.md',
    index: 1,
    before: `${importServer}\nconst server = await startServer();`,
    after: 'await same.close();\nawait server.close();',
  },
  {
    document: 'docs/forks.md',
    index: 0,
    before: importServer,
    after: `
const maps = await client.core.v1.configmaps.namespace('default').list();
if (!maps.items.some(({ metadata }) => metadata?.name === 'settings')) throw new Error('no fixtures in the fork');
await fork.close();
await server.close();`,
  },
  { document: 'docs/versions.md', index: 0, after: 'await client.core.v1.pods.list();\nawait server.close();' },
];

/** The first test of docs/testing.md, and its operator. */
export const operatorTest = {
  document: 'docs/testing.md',
  index: 0,
  types: 'declare function startOperator(kubeconfig: string): { stop(): Promise<void> };\n',
  setup: `
globalThis.startOperator = (kubeconfig) => {
  const stopped = new AbortController();
  const running = run(kubeconfig, stopped.signal);
  return { stop: () => (stopped.abort(), running) };
};
async function run(kubeconfig, signal) {
  const client = createClient({ ...parseKubeconfig(kubeconfig), userAgent: 'my-operator/1.0' });
  const maps = client.core.v1.configmaps.namespace('default');
  try {
    for await (const { type, object } of maps.watch({ signal, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true }))
      if (type === 'ADDED' && object.metadata.name === 'settings')
        await maps.update({ ...object, data: { ...object.data, size: '1' } });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    client.close();
  }
}
`,
} as const;

/** The files that snippets read. */
export const snippetFiles: Readonly<Record<string, string>> = {
  'manifests/settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: default }\ndata: { size: "3" }\n',
};

/** Returns a document's TypeScript blocks that name no file. */
export async function fragmentsOf(document: string): Promise<readonly Block[]> {
  return (await blocksOf(document)).filter((block) => block.language === 'ts' && block.note === '');
}

/** Returns the text of a block. @throws Error if the document has no such block */
export async function blockOf({ document, index }: Pick<Snippet, 'document' | 'index'>): Promise<string> {
  const block = (await fragmentsOf(document))[index];
  if (block === undefined) throw new Error(`${document} has no block ${index} in TypeScript`);
  return block.text;
}

/** Returns the name of a snippet's file, without extension. */
export const nameOf = ({ document, index }: Snippet): string => `${document.replace(/^docs\//, '').replace(/\.md$/, '')}-${index}`;

/** Returns an ES module of a block with its surrounding code. */
export async function moduleOf(snippet: Snippet): Promise<string> {
  const { before = '', meanwhile, after = '' } = snippet;
  const text = await blockOf(snippet);
  const place = /^\/\/ \.\.\. .*\n/m;
  if (place.test(text) !== (meanwhile !== undefined) && snippet.document !== 'docs/forks.md')
    throw new Error(`${nameOf(snippet)}: what happens at "// ..."?`);
  return `${before}\n${text.replace(place, (comment) => comment + (meanwhile ?? ''))}${after}\n`;
}

/** Returns a module as CommonJS, with `require` as in README.md. */
export function commonJsOf(module: string): string {
  const line = /^import (\{[^}]*\}) from ('[^']*');/gm;
  const requires = [...module.replaceAll(';import', ';\nimport').matchAll(line)].map(
    ([, names, from]) => `const ${names} = require(${from});\n`,
  );
  const rest = module.replaceAll(';import', ';\nimport').replace(line, '');
  return `${requires.join('')}(async () => {\n${rest}\n})();\n`;
}

/** Returns the block of a document for a file. */
export async function fileIn(document: string, name: string): Promise<string> {
  const block = (await blocksOf(document)).find((each) => fileOf(each) === name);
  if (block === undefined) throw new Error(`${document} has no file ${name}`);
  return block.text;
}
