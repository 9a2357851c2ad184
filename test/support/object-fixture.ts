import type { RunningServer, ServerOptions } from '../../runtime/index.ts';
import { HttpClient, type HttpResponse } from './http-client.ts';
import type { ManualClock } from './manual-clock.ts';
import { quietNamespaces } from './quiet-namespaces.ts';
import { engines, newStorePlace, type Storage, type StorePlace, storages } from './store-place.ts';
import { startTestServer } from './test-server.ts';
import { WatchStream } from './watch-stream.ts';

export { storages };

/** The places of writes: the event loop, or worker threads for all of them. */
export const writeStorages = [...storages, 'memory, by worker threads'] as const;
export type WriteStorage = (typeof writeStorages)[number] | Storage;

/** The kinds of fixtures: a built-in one, and a custom one of the same shape. */
const kinds = {
  configmaps: { root: '/api/v1', apiVersion: 'v1', kind: 'ConfigMap', groupResource: 'configmaps' },
  widgets: {
    root: '/apis/reads.example.io/v1',
    apiVersion: 'reads.example.io/v1',
    kind: 'Widget',
    groupResource: 'widgets.reads.example.io',
  },
} as const;

export type FixtureResource = keyof typeof kinds;

/** Every kind with every engine. */
export const everyKind: readonly (readonly [FixtureResource, Storage])[] = engines.flatMap((storage) =>
  (Object.keys(kinds) as FixtureResource[]).map((resource) => [resource, storage] as const),
);

let namespaces = 0;

/** A server with objects of one kind, for tests of reads. */
export class ObjectFixture {
  readonly server: RunningServer;
  readonly client: HttpClient;
  readonly resource: FixtureResource;
  readonly #place: StorePlace;

  private constructor(server: RunningServer, place: StorePlace, resource: FixtureResource) {
    this.server = server;
    this.client = HttpClient.for(server);
    this.#place = place;
    this.resource = resource;
  }

  static async open(storage: WriteStorage, options: ServerOptions = {}, resource: FixtureResource = 'configmaps'): Promise<ObjectFixture> {
    const byWorkers = storage === 'memory, by worker threads';
    const place = await newStorePlace(byWorkers ? 'memory' : storage);
    const threshold = byWorkers ? { workerThreshold: 0 } : {};
    const server = await startTestServer({ ...quietNamespaces, ...options, ...place.options, ...threshold });
    const fixture = new ObjectFixture(server, place, resource);
    if (resource === 'widgets') await fixture.#define();
    return fixture;
  }

  /** The kind and apiVersion of the objects, and their name in errors. */
  get kind(): (typeof kinds)[FixtureResource] {
    return kinds[this.resource];
  }

  /** The path of the objects in all namespaces. */
  get everywhere(): string {
    return `${this.kind.root}/${this.resource}`;
  }

  async #define(): Promise<void> {
    const data = { type: 'object', additionalProperties: { type: 'string' } };
    const schema = { openAPIV3Schema: { type: 'object', properties: { data } } };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: kinds.widgets.groupResource },
      spec: {
        group: 'reads.example.io',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const made = await this.client.send('POST', path, JSON.stringify(definition), 'application/json');
    if (made.status !== 201) throw new Error(made.body.toString());
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.close();
    await this.#place.dispose();
  }

  /** Returns the path of a resource in a new namespace. */
  async fresh(path: string = this.kind.root, resource: string = this.resource): Promise<string> {
    const name = `ns${namespaces++}`;
    const body = JSON.stringify({ metadata: { name } });
    const made = await this.client.send('POST', '/api/v1/namespaces', body, 'application/json');
    if (made.status !== 201) throw new Error(made.body.toString());
    return `${path}/namespaces/${name}/${resource}`;
  }

  /** Creates or replaces an object. Returns the resourceVersion. */
  async put(path: string, name: string, rest: object = {}, labels: Record<string, string> = {}): Promise<string> {
    const isWidget = this.resource === 'widgets' && path.endsWith('/widgets');
    // only custom resources need apiVersion, kind and the replaced version
    const { apiVersion, kind } = this.kind;
    const object = { ...(isWidget ? { apiVersion, kind } : {}), metadata: { name, labels }, ...rest };
    const send = (method: string, to: string, body: object) => this.client.send(method, to, JSON.stringify(body), 'application/json');
    let answer = await send('POST', path, object);
    if (answer.status === 409) {
      const { resourceVersion } = isWidget ? (await this.get(`${path}/${name}`)).json.metadata : {};
      answer = await send('PUT', `${path}/${name}`, { ...object, metadata: { ...object.metadata, resourceVersion } });
    }
    if (answer.status > 201) throw new Error(answer.body.toString());
    return answer.json.metadata.resourceVersion;
  }

  /** Deletes an object. Returns the store's revision afterwards. */
  async remove(path: string, name: string): Promise<string> {
    const answer = await this.client.send('DELETE', `${path}/${name}`);
    if (answer.status !== 200) throw new Error(answer.body.toString());
    return String(this.server.revision());
  }

  get(path: string, query: Query = {}, accept?: string): Promise<HttpResponse> {
    return this.client.get(withQuery(path, query), accept === undefined ? {} : { headers: { accept } });
  }

  watch(path: string, query: Query = {}, headers?: Record<string, string>): Promise<WatchStream> {
    return WatchStream.open(this.server, withQuery(path, { watch: '1', ...query }), headers);
  }
}

/** Returns the path of a core resource in the namespace of another path. */
export function besideOf(path: string, resource: string): string {
  return `/api/v1/namespaces/${path.slice(path.indexOf('/namespaces/')).split('/')[2]}/${resource}`;
}

/** Advances the server's clock by seconds until a promise settles. */
export async function whileTimePasses<T>(fixture: ObjectFixture, clock: ManualClock, pending: Promise<T>): Promise<T> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  pending.then(end, end);
  while (!over) {
    // a turn of the event loop for pending work
    await fixture.get('/version');
    clock.advance(1000);
  }
  return pending;
}

export type Query = Readonly<Record<string, string | number>>;

export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Returns the names of a list's items. */
export const namesOf = ({ json }: HttpResponse): string[] =>
  json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
