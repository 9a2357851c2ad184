import { expect } from '@jest/globals';
import type { HttpClient, HttpResponse, RequestOptions } from '../../support/http-client.ts';

const group = '/apis/admissionregistration.k8s.io';

/** Returns a rule for one resource, by group, version and plural. */
export const rule = (apiGroup: string, resource: string, more: object = {}) => ({
  apiGroups: [apiGroup],
  apiVersions: ['v1'],
  resources: [resource],
  operations: ['CREATE', 'UPDATE'],
  ...more,
});

/** Writes objects and policies to a server. */
export class Policies {
  readonly #client: () => HttpClient;
  #count = 0;

  /** @param client returns a client of the open server */
  constructor(client: () => HttpClient) {
    this.#client = client;
  }

  post(path: string, object: object, options?: RequestOptions): Promise<HttpResponse> {
    return this.#client().send('POST', path, JSON.stringify(object), 'application/json', options);
  }

  async created(path: string, object: object): Promise<HttpResponse['json']> {
    const { status, json } = await this.post(path, object);
    expect([status, json.message]).toEqual([201, undefined]);
    return json;
  }

  /** Creates a namespace with its name as a label. */
  async namespace(labels: Record<string, string> = {}): Promise<string> {
    const name = `ns-${this.#count++}`;
    await this.created('/api/v1/namespaces', { metadata: { name, labels: { own: name, ...labels } } });
    return name;
  }

  /**
   * Creates a policy and its binding. The policy covers ConfigMaps of a namespace, unless the spec says otherwise.
   * Returns the name of both.
   */
  async validating(namespace: string, spec: object, binding: object = {}): Promise<string> {
    const name = `policy-${this.#count++}`;
    await this.created(`${group}/v1/validatingadmissionpolicies`, policyOf(name, namespace, spec));
    await this.bind(name, binding, name);
    return name;
  }

  /** Creates a mutating policy and its binding, like `validating`. */
  async mutating(namespace: string, spec: object, binding: object = {}): Promise<string> {
    const name = `policy-${this.#count++}`;
    const reinvocationPolicy = 'Never';
    const policy = policyOf(name, namespace, { reinvocationPolicy, ...spec });
    await this.created(`${group}/v1beta1/mutatingadmissionpolicies`, {
      ...policy,
      apiVersion: 'admissionregistration.k8s.io/v1beta1',
      kind: 'MutatingAdmissionPolicy',
    });
    await this.created(`${group}/v1beta1/mutatingadmissionpolicybindings`, {
      apiVersion: 'admissionregistration.k8s.io/v1beta1',
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, ...binding },
    });
    return name;
  }

  /** Creates another binding of a policy. Returns its name. */
  async bind(policyName: string, spec: object, name = `binding-${this.#count++}`): Promise<string> {
    await this.created(`${group}/v1/validatingadmissionpolicybindings`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName, validationActions: ['Deny'], ...spec },
    });
    return name;
  }

  createConfigMap(namespace: string, data: Record<string, string> = {}, more: object = {}): Promise<HttpResponse> {
    return this.post(`/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: { name: `map-${this.#count++}` },
      data,
      ...more,
    });
  }
}

const policyOf = (name: string, namespace: string, spec: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [rule('', 'configmaps')],
      namespaceSelector: { matchLabels: { own: namespace } },
    },
    ...spec,
  },
});

export const apply = (expression: string): object => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
export const jsonPatch = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

export const deploymentOf = (name: string, replicas: number): object => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

/** Returns the message of a policy's refusal. */
export const denied = (policy: string, message: string, binding = policy): string =>
  `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${message}`;

/** Returns a message without its object; undefined for a success. */
export const messageOf = ({ json }: HttpResponse): string => json.message?.replace(/^.* is forbidden: /, '');
