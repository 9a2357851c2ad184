import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HttpResponse } from '../support/http-client.ts';
import { TestServer } from '../support/test-server.ts';
import { collectionOf, readSubjects, type Subject } from './subjects.ts';
import { knownWords } from './words.ts';
import { type Write, Writes } from './writes.ts';

const rounds = Number(process.env.ROUNDS ?? 12);
const seed = Number(process.env.SEED ?? 20_261);

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const answers = ['application/json', table, 'application/vnd.kubernetes.protobuf', 'application/yaml'];

/**
 * Reports an unexpected error. Go's plain errors, such as patches that do not fit their schema, are 500 without a
 * reason.
 */
const isFailure = ({ status, body }: HttpResponse): boolean => status >= 500 && body.includes('InternalError');

/** The administrator, a user who may write but cannot grant more than their own permissions, and a node. */
const writers = ['', 'writer', 'system:node:n'];
const groupOf = (user: string): string => (user === 'writer' ? 'writers' : 'system:nodes');
const rights = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'writers' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'create', 'update', 'patch'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'writers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writers' },
    subjects: ['writers', 'system:nodes'].map((name) => ({
      kind: 'Group',
      name,
      apiGroup: 'rbac.authorization.k8s.io',
    })),
  },
];
/** Plugins that are off by default and need no configuration. */
const enableAdmissionPlugins = [
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
];

const subjects = await readSubjects();
const text = knownWords();
const server = TestServer.forSuite({ runtimeConfig: ['api/all=true'], enableAdmissionPlugins, logLevel: 'error' });

function send({ method, path, body, contentType }: Write, accept = '*/*', user = ''): Promise<HttpResponse> {
  const headers: Record<string, string> = { accept };
  if (user !== '') Object.assign(headers, { 'impersonate-user': user, 'impersonate-group': groupOf(user) });
  return server.http.send(method, path, JSON.stringify(body), contentType, { headers });
}

function create(collection: string, object: object): Promise<HttpResponse> {
  return send({ method: 'POST', path: collection, body: object, contentType: 'application/json' });
}

beforeAll(async () => {
  for (const object of rights) {
    const collection = `/apis/${object.apiVersion}/${object.kind.toLowerCase()}s`;
    expect((await create(collection, object)).status).toBe(201);
  }
});

/** Creates the example, unless another version of the kind has created it. */
async function store({ definition, example }: Subject, collection: string): Promise<string> {
  if (!definition.stored) return '';
  const body = { ...example, metadata: { name: 'example', ...example.metadata } };
  const { status, json } = await create(collection, body);
  expect([status === 409 ? 201 : status, status === 201 ? '' : `${json.reason} ${json.message}`]).toEqual([
    201,
    expect.stringMatching(/^$|^AlreadyExists/),
  ]);
  return body.metadata.name;
}

describe.each(subjects)('$title', (subject) => {
  const writes = new Writes(subject, { wild: true, text });
  let name = '';
  beforeAll(async () => {
    name = await store(subject, collectionOf(subject));
  });

  test('no value that its schema allows makes the server fail', async () => {
    const property = fc.asyncProperty(fc.gen(), fc.constantFrom(...answers), fc.constantFrom(...writers), async (gen, accept, user) => {
      const write = writes.next(name, (max) => gen(fc.nat, max));
      const response = await send(write, accept, user);
      if (isFailure(response)) throw new Error(`${JSON.stringify(write)}: ${response.body}`);
      if (!subject.definition.stored || write.path.includes('dryRun')) return;
      for (const path of [`${collectionOf(subject)}/${name}`, collectionOf(subject)]) {
        const read = await server.http.get(path, { headers: { accept } });
        if (isFailure(read)) throw new Error(`after ${JSON.stringify(write)}: ${read.body}`);
      }
    });
    await fc.assert(property, { numRuns: rounds, seed, endOnFailure: true });
  });
});
