import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeRelease } from '../../../../codegen/describe/index.ts';
import { Descriptions } from '../../../../runtime/machinery/descriptions.ts';

let root: string;
const write = async (name: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
};
const version = (name: string, number: string): Promise<void> =>
  write(`node_modules/${name}/package.json`, JSON.stringify({ version: number }));

const operation = (operationId: string, action: string, kind: string, parameter: string): object => ({
  operationId,
  tags: ['core_v1'],
  'x-kubernetes-action': action,
  'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind },
  parameters: [{ name: parameter, in: 'query' }],
  responses: {},
});

const integer = { type: 'integer' };
const string = { type: 'string' };
const specText = 'All of */x.\n\nPossible enum values:\n - `"A"`\n - `"B"`';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kubeloom-describe-'));
  const document = {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.35.0' },
    paths: {
      '/api/v1/pods/{name}': {
        parameters: [{ name: 'name', in: 'path' }],
        get: operation('readCoreV1Pod', 'get', 'Pod', 'pretty'),
        post: operation('createCoreV1Pod', 'post', 'Pod', 'limit'),
      },
      '/api/v1/events': { post: operation('createCoreV1Event', 'post', 'Event', 'limit') },
      '/api/v1/pods/{name}/status': { get: operation('readCoreV1PodStatus', 'get', 'Pod', 'pretty') },
      '/api/v1/nodes/{name}/status': { get: operation('readCoreV1NodeStatus', 'get', 'Node', 'pretty') },
    },
    components: {
      schemas: {
        'io.k8s.api.core.v1.Pod': {
          type: 'object',
          properties: { spec: { type: 'string', enum: ['A', 'B'] }, other: { type: 'string' } },
        },
        'io.k8s.api.core.v1.PodList': { type: 'object', properties: { items: { type: 'array' } } },
        'io.k8s.apimachinery.pkg.apis.meta.v1.Status': {
          type: 'object',
          properties: { code: integer, reason: string, details: {} },
        },
      },
    },
  };
  await write('generated/v1.35/openapi/v3/api/v1.json', JSON.stringify(document));
  await version('@pulumi/kubernetes', '4.28.0');
  await write(
    'node_modules/@pulumi/kubernetes/types/input.d.ts',
    `export declare namespace core {
    namespace v1 {
        /**
         * A pod.
         *
         * This resource waits until its status is ready.
         */
        interface Pod {
            /**
             * All of *&#47;x.
             */
            spec?: string;
        }
    }
}
`,
  );
  await write(
    'node_modules/@pulumi/kubernetes/core/v1/podList.d.ts',
    `export interface PodListArgs {
    /**
     * The pods.
     */
    items: string;
}
`,
  );
  await version('@kubernetes/client-node', '1.4.0');
  await write(
    'node_modules/@kubernetes/client-node/dist/gen/models/V1Status.d.ts',
    `export declare class V1Status {
    /**
    * The server\\'s code.  * indented
    */
    'code'?: number;
    /**
    * Of another release.
    */
    'reason'?: string;
}
`,
  );
  await version('kubernetes-types', '1.30.0');
  await write(
    'node_modules/kubernetes-types/meta/v1.d.ts',
    `/** Name of a group. */
export interface APIGroup {
    /** Its versions. */
    versions: string;
}
export interface Status {
    /**
     * The server's code.
     *  * indented
     */
    code?: number;
    /** Of an older release. */
    reason?: string;
    /** Nothing else has it. */
    details?: StatusDetails;
}
`,
  );
  await write(
    'node_modules/@kubernetes/client-node/dist/gen/apis/CoreV1Api.d.ts',
    `export declare class CoreV1ApiRequestFactory extends Base {
    /**
     * read the specified Pod
     * @param name name of the Pod
     * @param pretty If \\&#39;true\\&#39;, pretty.  Or not: - a   or b. - c
     */
    readPod(name: string): void;
    /**
     * create a Pod
     * @param limit how many
     */
    createPod(): void;
    /**
     * read status of the specified Pod
     */
    readPodStatus(): void;
}
`,
  );
  await write(
    'node_modules/@kubernetes/client-node/dist/gen/apis/AppsApi.d.ts',
    `export declare class AppsApiRequestFactory extends Base {
    /**
     * get one group
     */
    getAPIGroup(): void;
}
`,
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

const describeIt = (): Promise<readonly string[]> =>
  describeRelease(join(root, 'generated/v1.35'), join(root, 'node_modules'), join(root, 'out'));

test('types, fields, operations and parameters are described in all documents', async () => {
  expect(await describeIt()).toEqual(['@pulumi/kubernetes', '@kubernetes/client-node', 'kubernetes-types']);
  const [name] = await readdir(join(root, 'out'));
  expect(name).toMatch(/^openapi-[0-9A-F]{8}$/);
  const json = async (file: string) => JSON.parse(await readFile(join(root, 'out', name, file), 'utf8'));
  const { components, paths } = await json('v3/api/v1.json');
  expect(components.schemas).toEqual({
    'io.k8s.api.core.v1.Pod': {
      description: 'A pod.',
      type: 'object',
      properties: { spec: { description: specText, type: 'string', enum: ['A', 'B'] }, other: { type: 'string' } },
    },
    'io.k8s.api.core.v1.PodList': {
      type: 'object',
      properties: { items: { description: 'The pods.', type: 'array' } },
    },
    'io.k8s.apimachinery.pkg.apis.meta.v1.Status': {
      type: 'object',
      properties: {
        code: { description: "The server's code.\n * indented", type: 'integer' },
        reason: { description: 'Of another release.', type: 'string' },
        details: { description: 'Nothing else has it.' },
      },
    },
  });
  const pod = paths['/api/v1/pods/{name}'];
  expect(pod.parameters[0].description).toBe('name of the Pod');
  expect(pod.get.description).toBe('read the specified Pod');
  expect(pod.get.parameters[0].description).toBe("If 'true', pretty.\n\nOr not: - a\n  or b.\n- c");
  // in the style of similar fields
  expect(paths['/api/v1/events'].post.description).toBe('create an Event');
  expect(paths['/api/v1/events'].post.parameters[0].description).toBe('how many');
  expect(paths['/api/v1/nodes/{name}/status'].get.description).toBe('read status of the specified Node');
  const v2 = await json('v2.json');
  expect(v2.definitions['io.k8s.api.core.v1.Pod'].properties.spec.description).toBe(specText);
  expect(v2.paths['/api/v1/pods/{name}'].get.description).toBe('read the specified Pod');
  const shared = Object.values<{ description: string }>(v2.parameters).map(({ description }) => description);
  expect(shared).toContain('how many');
});

test('the runtime finds the descriptions of types, fields, operations and parameters', async () => {
  await describeIt();
  const [name] = await readdir(join(root, 'out'));
  const found = new Descriptions(join(root, 'out', name, 'descriptions.tsv'));
  expect([found.type('io.k8s.api.core.v1.Pod'), found.field('io.k8s.api.core.v1.Pod', 'spec')]).toEqual(['A pod.', specText]);
  expect(['Cat', 'Ant', 'Dogs'].map((kind) => found.operation('post', kind))).toEqual(['create a Cat', 'create an Ant', 'create Dogs']);
  expect(found.operation('get', 'Cat', 'scale')).toBe('read scale of the specified Cat');
  expect(found.parameter('get', 'name', 'Cat')).toBe('name of the Cat');
  const group = 'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup';
  expect([found.type(group), found.field(group, 'versions')]).toEqual(['Name of a group.', 'Its versions.']);
  expect([found.root('getAPIGroup'), found.root('getCodeVersion')]).toEqual(['get one group', undefined]);
  expect([
    found.type('io.k8s.api.core.v1.Nothing'),
    found.field('io.k8s.api.core.v1.Pod', 'constructor'),
    found.operation('put', 'Cat'),
  ]).toEqual([undefined, undefined, undefined]);
});

test.each<[string, () => Promise<void>]>([
  ['a package is missing', () => rm(join(root, 'node_modules/@pulumi'), { recursive: true })],
  ['another package is missing', () => rm(join(root, 'node_modules/kubernetes-types'), { recursive: true })],
  ['a package has another version', () => version('@pulumi/kubernetes', '4.29.0')],
])('nothing is described if %s', async (_, change) => {
  await change();
  expect(await describeIt()).toEqual([]);
  await expect(readdir(join(root, 'out'))).rejects.toThrow('ENOENT');
  expect(new Descriptions(undefined).type('io.k8s.api.core.v1.Pod')).toBeUndefined();
});
