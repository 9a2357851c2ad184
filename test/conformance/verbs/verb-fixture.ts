import type { HttpResponse } from '../../support/http-client.ts';
import { libraryGroup } from '../../support/library-group.ts';
import { ObjectFixture, type Query, type WriteStorage, withQuery } from '../../support/object-fixture.ts';
import { testUnless } from '../../support/skipping.ts';
import type { WatchStream } from '../../support/watch-stream.ts';
import { withoutIdentity } from '../../support/without-identity.ts';
import { patchTypes } from '../../support/write-fixture.ts';
import { type Any, branchDefinition, type Feature, type Subject } from './subjects.ts';

const json = 'application/json';

/** A server with one subject, and one call for each verb. Paths are in a separate namespace. */
export class VerbFixture {
  readonly fixture: ObjectFixture;
  readonly subject: Subject;
  /** The path of the collection in the namespace. */
  readonly path: string;
  readonly namespace: string;

  private constructor(fixture: ObjectFixture, subject: Subject, path: string) {
    this.fixture = fixture;
    this.subject = subject;
    this.path = path;
    this.namespace = path.split('/')[5] as string;
  }

  static async open(subject: Subject, storage: WriteStorage): Promise<VerbFixture> {
    const groups = [await libraryGroup()];
    const fixture = await ObjectFixture.open(storage, {
      groups,
      featureGates: ['CBORServingAndStorage=true', ...withoutIdentity.featureGates],
    });
    await define(fixture);
    const path = await fixture.fresh(`/apis/${subject.group}/${subject.version}`, subject.resource);
    return new VerbFixture(fixture, subject, path);
  }

  close(): Promise<void> {
    return this.fixture.close();
  }

  get apiVersion(): string {
    return `${this.subject.group}/${this.subject.version}`;
  }

  /** The path of the objects in all namespaces. */
  get everywhere(): string {
    return `/apis/${this.apiVersion}/${this.subject.resource}`;
  }

  /** The name of the resource in messages. */
  get groupResource(): string {
    return `${this.subject.resource}.${this.subject.group}`;
  }

  /** The name of the kind in messages. */
  get groupKind(): string {
    return `${this.subject.kind}.${this.subject.group}`;
  }

  /** Returns a valid object. `fields` are values by dotted path: `{ "metadata.labels.a": "b" }`. */
  object(name: string, fields: Any = {}): Any {
    const { kind, spec } = this.subject;
    return this.with({ apiVersion: this.apiVersion, kind, metadata: { name }, spec: structuredClone(spec) }, fields);
  }

  /** Returns an object with only these fields, for patches and partial applies. */
  part(name: string, fields: Any = {}): Any {
    return this.with({ apiVersion: this.apiVersion, kind: this.subject.kind, metadata: { name } }, fields);
  }

  /** Changes and returns the object. `count`, `text` and `current` stand for the subject's paths. */
  with(object: Any, fields: Any): Any {
    for (const [path, value] of Object.entries(fields)) {
      const names = this.pathOf(path).split('.');
      const last = names.pop() as string;
      let at = object;
      for (const name of names) at = at[name] ??= {};
      at[last] = value;
    }
    return object;
  }

  pathOf(path: string): string {
    return path === 'count' || path === 'text' || path === 'current' ? this.subject[path] : path;
  }

  /** Returns the value at a dotted path. */
  at(object: Any, path: string): Any {
    return this.pathOf(path)
      .split('.')
      .reduce((value, name) => value?.[name], object);
  }

  send(method: string, path: string, body?: unknown, type = json, accept?: string): Promise<HttpResponse> {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const bytes = isRaw ? (body as string | Uint8Array | undefined) : JSON.stringify(body);
    const headers = accept === undefined ? {} : { headers: { accept } };
    return this.fixture.client.send(method, path, bytes, body === undefined ? undefined : type, headers);
  }

  create(object: unknown, query: Query = {}): Promise<HttpResponse> {
    return this.send('POST', withQuery(this.path, query), object);
  }

  /** Creates an object and returns it. */
  async made(name: string, fields: Any = {}, query: Query = {}): Promise<Any> {
    return this.good(await this.create(this.object(name, fields), query));
  }

  put(name: string, object: unknown, query: Query = {}): Promise<HttpResponse> {
    return this.send('PUT', withQuery(`${this.path}/${name}`, query), object);
  }

  patch(kind: keyof typeof patchTypes, name: string, body: unknown, query: Query = {}): Promise<HttpResponse> {
    return this.send('PATCH', withQuery(`${this.path}/${name}`, query), body, patchTypes[kind]);
  }

  apply(manager: string, object: Any, query: Query = {}): Promise<HttpResponse> {
    return this.patch('apply', object.metadata.name, object, { fieldManager: manager, ...query });
  }

  remove(name: string, options?: object, query: Query = {}): Promise<HttpResponse> {
    return this.send('DELETE', withQuery(`${this.path}/${name}`, query), options);
  }

  get(name = '', query: Query = {}, accept?: string): Promise<HttpResponse> {
    return this.fixture.get(name === '' ? this.path : `${this.path}/${name}`, query, accept);
  }

  watch(query: Query = {}, accept?: string): Promise<WatchStream> {
    return this.fixture.watch(this.path, query, accept === undefined ? {} : { accept });
  }

  /** Returns the body of a successful response. */
  good(response: HttpResponse): Any {
    if (response.status > 202) throw new Error(`${response.status} ${response.body}`);
    return response.json;
  }
}

/** Returns the `test` of a feature: skipped with the reason for kinds that lack it. */
export function testOf(subject: Subject, feature: Feature): (name: string, body: () => Promise<void>) => void {
  return testUnless(subject.lacks[feature]);
}

async function define(fixture: ObjectFixture): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const made = await fixture.client.send('POST', path, JSON.stringify(branchDefinition), json);
  if (made.status !== 201) throw new Error(made.body.toString());
  const stream = await fixture.watch(path);
  const isThere = ({ type, status }: { type: string; status: string }): boolean => type === 'Established' && status === 'True';
  for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
    if (event.object.status?.conditions?.some(isThere)) break;
  }
  stream.close();
}
