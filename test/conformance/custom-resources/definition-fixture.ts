import { afterAll, beforeAll } from '@jest/globals';
import type { ServerOptions } from '../../../runtime/index.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { ObjectFixture, type Query, storages } from '../../support/object-fixture.ts';

export { storages };

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const json = 'application/json';

// biome-ignore lint/suspicious/noExplicitAny: definitions and objects of all shapes
export type Any = any;

export interface Sketch {
  /** Default: a unique group. */
  readonly group?: string;
  /** Default: `Foo`. All other names derive from it. */
  readonly kind?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly names?: object;
  /** Default: v1, served and stored, with any spec and status. */
  readonly versions?: readonly object[];
  readonly conversion?: object;
}

let groups = 0;

export const freshGroup = (): string => `g${groups++}.example.com`;

export const openSchema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

export function version(name: string, more: object = {}): Any {
  return { name, served: true, storage: name === 'v1', schema: openSchema, ...more };
}

export function definition(sketch: Sketch = {}): Any {
  const { group = freshGroup(), kind = 'Foo', scope = 'Namespaced', names, versions = [version('v1')] } = sketch;
  const singular = kind.toLowerCase();
  const all = { plural: `${singular}s`, singular, kind, listKind: `${kind}List`, ...names };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${all.plural}.${group}` },
    spec: { group, scope, names: all, versions, ...(sketch.conversion ? { conversion: sketch.conversion } : {}) },
  };
}

/** A server for tests with their own definitions. */
export class DefinitionFixture {
  #fixture: ObjectFixture | undefined;

  private constructor(fixture?: ObjectFixture) {
    this.#fixture = fixture;
  }

  static async open(storage: (typeof storages)[number] = 'memory', options: ServerOptions = {}): Promise<DefinitionFixture> {
    return new DefinitionFixture(await ObjectFixture.open(storage, options));
  }

  /**
   * Returns a fixture for the enclosing `describe` or the file. It is open from before the first test to after the
   * last.
   */
  static forSuite(storage: (typeof storages)[number] = 'memory', options: ServerOptions = {}): DefinitionFixture {
    const suite = new DefinitionFixture();
    beforeAll(async () => {
      suite.#fixture = await ObjectFixture.open(storage, options);
    });
    afterAll(() => suite.#fixture?.close());
    return suite;
  }

  get fixture(): ObjectFixture {
    if (this.#fixture === undefined) throw new Error('the fixture opens before the first test');
    return this.#fixture;
  }

  close(): Promise<void> {
    return this.fixture.close();
  }

  /** Creates a definition, waits until it is established, and returns it. */
  async define(sketch: Sketch = {}): Promise<Any> {
    const { metadata } = await this.ok('POST', definitions, definition(sketch));
    return this.until(`${definitions}/${metadata.name}`, (crd) => conditionOf(crd, 'Established')?.status === 'True');
  }

  /** Watches an object until it is as wanted. `undefined` stands for a deleted object. */
  async until(path: string, isRight: (object: Any) => boolean): Promise<Any> {
    const at = path.lastIndexOf('/');
    const stream = await this.fixture.watch(path.slice(0, at), {
      fieldSelector: `metadata.name=${path.slice(at + 1)}`,
    });
    try {
      for (;;) {
        const event = await stream.next();
        if (event === undefined) throw new Error(`the watch of ${path} ended`);
        if (isRight(event.type === 'DELETED' ? undefined : event.object)) return event.object;
      }
    } finally {
      stream.close();
    }
  }

  send(method: string, path: string, body?: unknown, contentType = json): Promise<HttpResponse> {
    const text = body === undefined || typeof body === 'string' ? (body as string | undefined) : JSON.stringify(body);
    return this.fixture.client.send(method, path, text, body === undefined ? undefined : contentType);
  }

  /** Returns the body of a successful response. */
  async ok(method: string, path: string, body?: unknown, contentType = json): Promise<Any> {
    const response = await this.send(method, path, body, contentType);
    if (response.status > 202) throw new Error(`${method} ${path}: ${response.status} ${response.body}`);
    return response.json;
  }

  get(path: string, query: Query = {}, accept?: string): Promise<HttpResponse> {
    return this.fixture.get(path, query, accept);
  }

  merge(path: string, patch: object): Promise<Any> {
    return this.ok('PATCH', path, patch, 'application/merge-patch+json');
  }

  /** Deletes a definition and waits until it is gone. Returns the response and the last object. */
  async drop(crd: Any): Promise<{ response: Any; last: Any }> {
    const { name } = crd.metadata;
    const stream = await this.fixture.watch(definitions, { fieldSelector: `metadata.name=${name}` });
    await stream.take(1);
    const response = await this.ok('DELETE', `${definitions}/${name}`);
    let event = await stream.next();
    while (event !== undefined && event.type !== 'DELETED') event = await stream.next();
    stream.close();
    return { response, last: event?.object };
  }
}

export function pathOf(crd: Any, at = crd.spec.versions[0].name, namespace = 'default'): string {
  const { group, scope, names } = crd.spec;
  const root = `/apis/${group}/${at}`;
  return scope === 'Namespaced' ? `${root}/namespaces/${namespace}/${names.plural}` : `${root}/${names.plural}`;
}

export function instance(crd: Any, name: string, rest: object = {}, at = crd.spec.versions[0].name): Any {
  return { apiVersion: `${crd.spec.group}/${at}`, kind: crd.spec.names.kind, metadata: { name }, ...rest };
}

export function conditionOf(crd: Any, type: string): Any {
  return crd?.status?.conditions?.find((one: Any) => one.type === type);
}
