import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emitAll } from '../../codegen/emit/index.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import { FieldPath, fieldErrors, type RunningServer, startServer } from '../../runtime/index.ts';
import type { ApiGroup, ResourceStrategy } from '../../runtime/machinery/api-group.ts';
import { root, temporaryFolder } from '../support/generated-project.ts';
import { HttpClient, type HttpResponse } from '../support/http-client.ts';

const schemas = join(root, 'schemas/examples/library');
const of = (version: string, resource: string, name = ''): string =>
  `/apis/library.example.com/${version}/namespaces/default/${resource}${name && `/${name}`}`;

/** The calls of each step: `validate v1 true`. */
const seen: string[] = [];
const note = (step: string, object: { apiVersion: string }, dryRun: boolean): void => {
  seen.push(`${step} ${object.apiVersion.split('/')[1]} ${dryRun}`);
};

interface Branch {
  apiVersion: string;
  metadata: { name: string };
  spec: { address?: string; desks: number };
}

const branches: ResourceStrategy<Branch> = {
  prepareForCreate(branch, { dryRun }) {
    note('prepareForCreate', branch, dryRun);
    branch.spec.address ??= 'unknown';
  },
  prepareForUpdate(branch, old, { dryRun, subresource }) {
    note(`prepareForUpdate${subresource && `/${subresource}`}`, branch, dryRun);
    if (branch.spec.address === 'lost') branch.spec.address = old.spec.address;
  },
  validate: (branch) =>
    branch.spec.desks > 100 ? [fieldErrors.invalid(FieldPath.of('spec', 'desks'), branch.spec.desks, 'too many')] : [],
  validateUpdate: (branch, old) =>
    branch.spec.desks < old.spec.desks ? [fieldErrors.forbidden(FieldPath.of('spec', 'desks'), 'desks are never taken away')] : [],
  warnings: (branch, old) => (old === undefined ? [`${branch.metadata.name} is new`] : []),
  table: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: '',
      priority: 0,
      cell: (branch) => branch.metadata.name,
    },
    { name: 'API', type: 'string', format: '', description: '', priority: 0, cell: (branch) => branch.apiVersion },
  ],
};

describe('strategies of a generated group', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    folder = await temporaryFolder('strategies');
    const model = await loadModel(schemas, { overlays: join(schemas, 'overlays') });
    await emitAll(model, { out: folder.path, schemas });
    const { library } = (await import(pathToFileURL(join(folder.path, 'library/index.ts')).href)) as {
      library: (strategies: { branches?: ResourceStrategy<Branch> }) => ApiGroup;
    };
    server = await startServer({ groups: [library({ branches })], builtin: false });
    http = HttpClient.for(server);
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
    await folder?.remove();
  });

  const send = (method: string, path: string, body: object, type = 'application/json'): Promise<HttpResponse> =>
    http.send(method, path, JSON.stringify(body), type);
  const branch = (version: string, name: string, spec: object): object => ({
    apiVersion: `library.example.com/${version}`,
    kind: 'Branch',
    metadata: { name },
    spec,
  });

  test.each(['v1', 'v1beta1'])('see and change the storage version of an object written at %s', async (version) => {
    seen.length = 0;
    const made = await send('POST', of(version, 'branches'), branch(version, `one-${version}`, { desks: 1 }));
    expect([made.status, made.json.apiVersion, made.json.spec]).toEqual([
      201,
      `library.example.com/${version}`,
      { address: 'unknown', desks: 1 },
    ]);
    expect(made.headers.warning).toBe(`299 - "one-${version} is new"`);
    const merge = 'application/merge-patch+json';
    const path = of(version, 'branches', `one-${version}`);
    const patched = await send('PATCH', `${path}?dryRun=All`, { spec: { address: 'lost', desks: 2 } }, merge);
    expect(patched.json.spec).toEqual({ address: 'unknown', desks: 2 });
    expect(patched.headers.warning).toBeUndefined();
    expect(seen).toEqual(['prepareForCreate v1 false', 'prepareForUpdate v1 true']);
  });

  test('get the name of the subresource that is written', async () => {
    await send('POST', of('v1', 'branches'), branch('v1', 'sub', { desks: 1 }));
    seen.length = 0;
    const path = of('v1', 'branches', 'sub');
    await send('PATCH', `${path}/status`, { status: { openDesks: 1 } }, 'application/merge-patch+json');
    expect(seen).toEqual(['prepareForUpdate/status v1 false']);
  });

  test.each([
    [undefined, 'spec: Required value'],
    [{ desks: 1, address: 7 }, 'cannot unmarshal number into Go struct field BranchSpec.spec.address of type string'],
  ])('do not see an object with the spec %j', async (spec, why) => {
    seen.length = 0;
    const sent = { ...branch('v1', 'bad', {}), spec };
    const made = await send('POST', of('v1', 'branches'), sent);
    expect(made.json.message).toContain(why);
    await send('POST', of('v1', 'branches'), branch('v1', 'good', { desks: 1 }));
    const put = await send('PUT', of('v1', 'branches', 'good'), { ...sent, metadata: { name: 'good' } });
    expect(put.json.message).toContain(why);
    expect(seen).toEqual(['prepareForCreate v1 false']);
  });

  test('add causes to those of the schema', async () => {
    const many = await send('POST', of('v1beta1', 'branches'), branch('v1beta1', 'many', { desks: 101 }));
    expect([many.status, many.json.message]).toEqual([
      422,
      'Branch.library.example.com "many" is invalid: spec.desks: Invalid value: 101: too many',
    ]);
    await send('POST', of('v1', 'branches'), branch('v1', 'less', { desks: 5 }));
    const path = of('v1', 'branches', 'less');
    const less = await send('PATCH', path, { spec: { desks: 4 } }, 'application/merge-patch+json');
    expect([less.status, less.json.details.causes]).toEqual([
      422,
      [{ reason: 'FieldValueForbidden', message: 'Forbidden: desks are never taken away', field: 'spec.desks' }],
    ]);
  });

  test.each(['v1', 'v1beta1'])('print their own tables: %s', async (version) => {
    await send('POST', of('v1', 'branches'), branch('v1', `table-${version}`, { desks: 1 }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { json } = await http.get(of(version, 'branches', `table-${version}`), { headers: { accept } });
    expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'API']);
    expect(json.rows[0].cells).toEqual([`table-${version}`, 'library.example.com/v1']);
  });

  test('without the built-in groups, only a control plane is served, and documented', async () => {
    const groups = (await http.get('/apis')).json.groups.map(({ name }: { name: string }) => name);
    expect(groups.sort()).toEqual([
      'apiextensions.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      'coordination.k8s.io',
      'events.k8s.io',
      'flowcontrol.apiserver.k8s.io',
      'library.example.com',
      'rbac.authorization.k8s.io',
    ]);
    const core = (await http.get('/api/v1')).json.resources.map(({ name }: { name: string }) => name);
    expect(core).toEqual(['events', 'namespaces', 'namespaces/finalize', 'namespaces/status']);
    expect((await http.get('/api/v1/pods')).status).toBe(404);
    const { paths } = (await http.get('/openapi/v3')).json;
    const document = (await http.get(paths['api/v1'].serverRelativeURL)).json;
    expect(Object.keys(document.paths)).toContain('/api/v1/namespaces/{name}/finalize');
    expect(Object.keys(document.paths).filter((path) => path.includes('pods'))).toEqual([]);
    expect(document.components.schemas).toHaveProperty(['io.k8s.api.core.v1.Namespace']);
    expect(document.components.schemas).not.toHaveProperty(['io.k8s.api.core.v1.Pod']);
    const v2 = (await http.get('/openapi/v2')).json;
    expect(v2.definitions).toHaveProperty(['io.k8s.api.core.v1.Namespace']);
    expect(v2.definitions).not.toHaveProperty(['io.k8s.api.core.v1.Pod']);
  });
});
