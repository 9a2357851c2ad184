import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { HttpResponse } from '../../support/http-client.ts';
import type { TestServer } from '../../support/test-server.ts';

export type Amounts = Record<string, string>;

interface Resources {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

/** Controllers that add no objects to namespaces, so that all objects are the test's. */
export const withoutOwnObjects = ['*', '-root-ca-certificate-publisher-controller', '-serviceaccount-controller'];

/** A pod with one container. */
export const podOf = (name: string, resources: Resources = {}, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'pause', image: 'pause', resources }], ...spec },
});

/** A namespace for each test, with calls for the objects that quotas count. */
export class QuotaNamespace {
  static #count = 0;
  readonly #suite: TestServer;
  readonly name = `quota-${QuotaNamespace.#count++}`;

  private constructor(suite: TestServer) {
    this.#suite = suite;
  }

  static async create(suite: TestServer): Promise<QuotaNamespace> {
    const made = new QuotaNamespace(suite);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: made.name } };
    expect((await made.send('POST', '/api/v1/namespaces', namespace)).status).toBe(201);
    return made;
  }

  send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<HttpResponse> {
    return this.#suite.http.send(method, path, body === undefined ? undefined : JSON.stringify(body), type);
  }

  /** @param resource `pods`, or `apps/v1/replicasets` */
  path(resource: string, name?: string): string {
    const parts = resource.split('/');
    const prefix = parts.length === 1 ? '/api/v1' : `/apis/${parts.slice(0, 2).join('/')}`;
    return `${prefix}/namespaces/${this.name}/${parts.at(-1)}${name === undefined ? '' : `/${name}`}`;
  }

  create(resource: string, object: object, query = ''): Promise<HttpResponse> {
    return this.send('POST', `${this.path(resource)}${query}`, object);
  }

  async created(resource: string, object: object): Promise<void> {
    const { status, json } = await this.create(resource, object);
    expect([status, json.message]).toEqual([201, undefined]);
  }

  /** Returns the message of an object's refusal. */
  async refusal(resource: string, object: object): Promise<string> {
    const { status, json } = await this.create(resource, object);
    expect([status, json.reason]).toEqual([403, 'Forbidden']);
    return json.message;
  }

  async remove(resource: string, name: string): Promise<void> {
    expect((await this.send('DELETE', this.path(resource, name), { gracePeriodSeconds: 0 })).status).toBe(200);
  }

  patch(resource: string, name: string, body: object): Promise<HttpResponse> {
    return this.send('PATCH', this.path(resource, name), body, 'application/merge-patch+json');
  }

  /** Creates a quota and waits until its usage is known. */
  async quota(name: string, hard: Amounts, spec: object = {}): Promise<void> {
    const metadata = { name };
    await this.created('resourcequotas', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata,
      spec: { hard, ...spec },
    });
    await this.usage(name, ({ hard: known }) => known !== undefined);
  }

  async status(name: string): Promise<{ hard?: Amounts; used?: Amounts }> {
    return (await this.send('GET', this.path('resourcequotas', name))).json.status;
  }

  /** Resolves when a quota's usage includes these amounts. */
  async uses(name: string, wanted: Amounts): Promise<void> {
    const isMet = ({ used = {} }: { used?: Amounts }) => Object.entries(wanted).every(([resource, amount]) => used[resource] === amount);
    const { used = {} } = await this.usage(name, isMet);
    expect(Object.fromEntries(Object.keys(wanted).map((resource) => [resource, used[resource]]))).toEqual(wanted);
  }

  /** Polls until the status is met. Returns the last status after some thousand responses. */
  async usage(name: string, isMet: (status: { hard?: Amounts; used?: Amounts }) => boolean) {
    let status = await this.status(name);
    for (let count = 0; count < 3000 && !isMet(status); count++) {
      await setImmediate();
      status = await this.status(name);
    }
    return status;
  }
}
