import { afterAll, beforeAll } from '@jest/globals';
import type { ServerOptions } from '../../../../runtime/index.ts';
import { AdmissionWebhookServer, type Hook } from '../../../support/admission-webhook.ts';
import type { HttpResponse } from '../../../support/http-client.ts';
import { TestServer } from '../../../support/test-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of all kinds
type Any = any;

const group = '/apis/admissionregistration.k8s.io/v1';
const plurals: Readonly<Record<string, string>> = {
  Mutating: 'mutatingwebhookconfigurations',
  Validating: 'validatingwebhookconfigurations',
};

/** The options of one webhook beyond those common to all. */
export interface HookOptions {
  readonly rules: readonly Any[];
  readonly hook?: Hook;
  readonly [field: string]: Any;
}

/** A server with a namespace for each test, and a webhook server. */
export class WebhookFixture {
  readonly suite: TestServer;
  #hooks: AdmissionWebhookServer | undefined;
  #count = 0;

  private constructor(suite: TestServer) {
    this.suite = suite;
  }

  static forSuite(options: ServerOptions = {}): WebhookFixture {
    const fixture = new WebhookFixture(TestServer.forSuite(options));
    beforeAll(async () => {
      fixture.#hooks = await AdmissionWebhookServer.open('hook.default.svc');
    });
    afterAll(() => fixture.#hooks?.close());
    return fixture;
  }

  get hooks(): AdmissionWebhookServer {
    return this.#hooks as AdmissionWebhookServer;
  }

  /** Creates a namespace. Its webhooks apply to no other one. */
  async namespace(labels: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `n${this.#count++}`;
    await this.create('/api/v1/namespaces', { metadata: { name, labels: { ...labels, name } } });
    return name;
  }

  /** Creates a configuration with one webhook `NAME.example.com` for one namespace. Its hook responds at `/NAME`. */
  configure(kind: 'Mutating' | 'Validating', name: string, options: HookOptions, namespace?: string): Promise<Any> {
    return this.create(`${group}/${plurals[kind]}`, this.configuration(kind, name, [options], namespace));
  }

  /** @param webhooks named after the configuration; later ones also have their number */
  configuration(kind: string, name: string, webhooks: readonly HookOptions[], namespace?: string): Any {
    return {
      kind: `${kind}WebhookConfiguration`,
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name },
      webhooks: webhooks.map(({ hook, ...fields }, index) => {
        const own = index === 0 ? name : `${name}-${index}`;
        return {
          name: `${own}.example.com`,
          clientConfig: hook && this.hooks.on(`/${own}`, hook),
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 5,
          ...(namespace && { namespaceSelector: { matchLabels: { name: namespace } } }),
          ...fields,
        };
      }),
    };
  }

  path(kind: 'Mutating' | 'Validating', name = ''): string {
    return `${group}/${plurals[kind]}${name && `/${name}`}`;
  }

  send(method: string, path: string, body?: Any, type = 'application/json'): Promise<HttpResponse> {
    return this.suite.http.send(method, path, body && JSON.stringify(body), type);
  }

  /** @throws Error unless the object is created */
  async create(path: string, body: Any): Promise<Any> {
    const { status, json } = await this.send('POST', path, body);
    if (status !== 201) throw new Error(JSON.stringify(json));
    return json;
  }
}

export const configMaps = (namespace: string, name = ''): string => `/api/v1/namespaces/${namespace}/configmaps${name && `/${name}`}`;

export const configMap = (name: string, fields: Any = {}): Any => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  ...fields,
});
