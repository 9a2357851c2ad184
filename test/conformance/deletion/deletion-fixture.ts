import type { ServerOptions } from '../../../runtime/index.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { ObjectFixture, type storages } from '../../support/object-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
export type Body = any;

/** Returns the paths of a namespace's collections. */
export const collectionsIn = (namespace: string) => ({
  pods: `/api/v1/namespaces/${namespace}/pods`,
  maps: `/api/v1/namespaces/${namespace}/configmaps`,
  services: `/api/v1/namespaces/${namespace}/services`,
  events: `/api/v1/namespaces/${namespace}/events`,
  accounts: `/api/v1/namespaces/${namespace}/serviceaccounts`,
  controllers: `/api/v1/namespaces/${namespace}/replicationcontrollers`,
  sets: `/apis/apps/v1/namespaces/${namespace}/replicasets`,
  deployments: `/apis/apps/v1/namespaces/${namespace}/deployments`,
  jobs: `/apis/batch/v1/namespaces/${namespace}/jobs`,
});
export type Collections = ReturnType<typeof collectionsIn>;

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: 'busybox:1.36' }] },
});

export const pod = (spec: object = {}) => ({
  spec: { containers: [{ name: 'main', image: 'busybox:1.36' }], ...spec },
});
export const replicationController = (app: string) => ({
  spec: { replicas: 2, selector: { app }, template: template(app) },
});
export const replicaSet = (app: string) => ({
  spec: { replicas: 2, selector: { matchLabels: { app } }, template: template(app) },
});

/** Returns an owner reference in the form of controllers. */
export const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }: Body, more: object = {}) => ({
  apiVersion,
  kind,
  name,
  uid,
  ...more,
});

/** A server for tests of deletion. Its waits end with the expected event. */
export class DeletionFixture {
  readonly fixture: ObjectFixture;

  private constructor(fixture: ObjectFixture) {
    this.fixture = fixture;
  }

  static async open(storage: (typeof storages)[number], options: ServerOptions = {}): Promise<DeletionFixture> {
    return new DeletionFixture(await ObjectFixture.open(storage, options));
  }

  close(): Promise<void> {
    return this.fixture.close();
  }

  /** Creates a namespace and returns its path. */
  async namespace(): Promise<{ name: string; in: Collections }> {
    const name = (await this.fixture.fresh()).split('/')[4];
    return { name, in: collectionsIn(name) };
  }

  async create(collection: string, name: string, object: object = {}, metadata: object = {}): Promise<Body> {
    const body = JSON.stringify({ ...object, metadata: { name, ...metadata } });
    const response = await this.fixture.client.send('POST', collection, body, 'application/json');
    if (response.status !== 201) throw new Error(response.body.toString());
    return response.json;
  }

  get(path: string): Promise<HttpResponse> {
    return this.fixture.client.get(path);
  }

  delete(path: string, options?: object, query = ''): Promise<HttpResponse> {
    const body = options === undefined ? undefined : JSON.stringify(options);
    return this.fixture.client.send('DELETE', `${path}${query}`, body, body === undefined ? undefined : 'application/json');
  }

  patch(path: string, change: object): Promise<HttpResponse> {
    return this.fixture.client.send('PATCH', path, JSON.stringify(change), 'application/merge-patch+json');
  }

  /** Resolves when the object is deleted; rejects after a while. */
  gone(path: string): Promise<void> {
    return this.until(path, (object) => object === undefined);
  }

  /** Resolves when the object, undefined if absent, is as expected; rejects after a while. */
  async until(path: string, holds: (object: Body | undefined) => boolean, timeoutMs = 120_000): Promise<void> {
    const slash = path.lastIndexOf('/');
    const fieldSelector = `metadata.name=${path.slice(slash + 1)}`;
    const watch = await this.fixture.watch(path.slice(0, slash), { fieldSelector });
    let last = 'nothing';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      watch.close();
    }, timeoutMs);
    try {
      const { status, json } = await this.get(path);
      if (holds(status === 404 ? undefined : json)) return;
      for (;;) {
        const event = await watch.next();
        if (event === undefined) break;
        last = JSON.stringify(event);
        if (holds(event.type === 'DELETED' ? undefined : event.object)) return;
      }
    } finally {
      clearTimeout(timer);
      watch.close();
    }
    throw new Error(late ? `${path} is not as it should be; last: ${last}` : `the watch of ${path} ended`);
  }

  /**
   * Resolves when the garbage collector has processed all earlier events: it creates a doomed object, and waits for its
   * deletion.
   */
  async collected(maps: string): Promise<void> {
    const name = `doomed-${Math.random().toString(36).slice(2)}`;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'there-is-no-such-uid' };
    await this.create(maps, name, {}, { ownerReferences: [owner] });
    await this.gone(`${maps}/${name}`);
  }
}
