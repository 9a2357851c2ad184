import type { HttpClient, HttpResponse } from '../support/http-client.ts';
import type { TestObject } from '../support/test-object.ts';
import { optionsVersion, sendOptions } from './options-client.ts';

/** The place of a kind's objects. */
interface Place {
  readonly path: string;
}

/** Sends cases: dry-run writes of stored objects. */
export class RuleClient {
  readonly #http: HttpClient;
  readonly #places = new Map<string, Promise<Map<string, Place>>>();
  readonly #user: string | undefined;
  #count = 0;

  /** @param user the impersonated user of an administrator's client. Default: no impersonation */
  constructor(http: HttpClient, user?: string) {
    this.#http = http;
    this.#user = user;
  }

  /** Runs as a user with a role of these rules. */
  async asUserWith<T>(rules: readonly TestObject[], run: (client: RuleClient) => Promise<T>): Promise<T> {
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const role = await this.store({ apiVersion, kind: 'ClusterRole', metadata: {}, rules });
    const binding = await this.store({
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: {},
      subjects: [{ kind: 'User', name: 'alice' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role.metadata.name },
    });
    try {
      const alice = new RuleClient(this.#http, 'alice');
      // kube-apiserver decides from caches
      while (!(await alice.#mayAct(rules[0])));
      return await run(alice);
    } finally {
      await this.delete(binding);
      await this.delete(role);
    }
  }

  /**
   * Creates an object, in a dry run unless it lasts, or sends options. @param path the target; default: the kind's
   * resource
   */
  async create(object: TestObject, path?: string, lasts = false): Promise<HttpResponse> {
    if (object.apiVersion === optionsVersion) return sendOptions(this.#http, object);
    const query = lasts ? '' : '?dryRun=All';
    if (path !== undefined) return this.#send('POST', `${path}${query}`, object);
    return this.#send('POST', `${await this.#pathOf(object)}${query}`, this.#named(object));
  }

  /** Stores an object, and returns it. */
  async store(object: TestObject): Promise<TestObject> {
    const { status, json } = await this.#send('POST', await this.#pathOf(object), this.#named(object));
    if (status !== 201) throw new Error(`what the row begins with is refused: ${json.message}`);
    return json;
  }

  /** Replaces the object, or a subresource with its own kind, in a dry run unless it lasts. */
  async replace(object: TestObject, subresource?: string, { dryRun = true, at = object } = {}): Promise<HttpResponse> {
    const path = `${await this.#pathOf(at)}/${at.metadata.name}`;
    const end = `${subresource === undefined ? '' : `/${subresource}`}${dryRun ? '?dryRun=All' : ''}`;
    let response = await this.#send('PUT', `${path}${end}`, object);
    // a controller has written the object meanwhile
    for (let attempt = 1; response.status === 409 && attempt < 5; attempt++) {
      const { resourceVersion } = (await this.#http.get(path)).json.metadata;
      const current = { ...object, metadata: { ...object.metadata, resourceVersion } };
      response = await this.#send('PUT', `${path}${end}`, current);
    }
    return response;
  }

  /** Deletes an object with finalizers, and returns the remaining object. */
  async startDeleting(object: TestObject): Promise<TestObject> {
    return (await this.#http.send('DELETE', `${await this.#pathOf(object)}/${object.metadata.name}`)).json;
  }

  async delete(object: TestObject): Promise<void> {
    if (object.metadata.deletionTimestamp !== undefined) {
      await this.replace({ ...object, metadata: { ...object.metadata, finalizers: [] } }, undefined, { dryRun: false });
      return;
    }
    const path = `${await this.#pathOf(object)}/${object.metadata.name}`;
    // otherwise jobs leave their pods to a controller
    const { json } = await this.#http.send('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=Background`);
    // a controller first deletes a definition's objects; the next row may use its name
    if (json.kind === 'CustomResourceDefinition') while ((await this.#http.get(path)).status === 200);
  }

  /** Deletes an object in a dry run: the one with the name, or a new one. */
  async deleteDry(object: TestObject): Promise<HttpResponse> {
    const isNew = object.metadata?.name === undefined;
    const stored = isNew ? await this.store(object) : object;
    try {
      return await this.#http.send('DELETE', `${await this.#pathOf(stored)}/${stored.metadata.name}?dryRun=All`);
    } finally {
      if (isNew) await this.delete(stored);
    }
  }

  /** Reports whether the server already knows the user's first permission of a rule. */
  async #mayAct({ apiGroups, resources, resourceNames, verbs, nonResourceURLs }: TestObject): Promise<boolean> {
    const [verb] = verbs;
    const spec =
      nonResourceURLs === undefined
        ? { resourceAttributes: { group: apiGroups[0], resource: resources[0], name: resourceNames?.[0], verb } }
        : { nonResourceAttributes: { path: nonResourceURLs[0], verb } };
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
    const { json } = await this.#send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
    return json.status.allowed === true;
  }

  #named(object: TestObject): TestObject {
    const { metadata = {} } = object;
    if (metadata.name !== undefined || metadata.generateName !== undefined) return object;
    this.#count += 1;
    return { ...object, metadata: { name: `r${this.#count}`, ...metadata } };
  }

  async #pathOf({ apiVersion = '', kind = '', metadata }: TestObject): Promise<string> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let places = this.#places.get(base);
    if (places === undefined) {
      places = this.#discover(base);
      this.#places.set(base, places);
    }
    const place = (await places).get(kind);
    if (place === undefined) throw new Error(`${apiVersion} ${kind} is not served`);
    return place.path.replace('{namespace}', metadata?.namespace ?? 'default');
  }

  async #discover(base: string): Promise<Map<string, Place>> {
    const { json } = await this.#http.get(base);
    const own = (json.resources ?? []).filter(({ name }: TestObject) => !name.includes('/'));
    const path = ({ name, namespaced }: TestObject) => (namespaced ? `${base}/namespaces/{namespace}/${name}` : `${base}/${name}`);
    return new Map(own.map((resource: TestObject) => [resource.kind, { path: path(resource) }]));
  }

  #send(method: string, path: string, object: TestObject): Promise<HttpResponse> {
    const headers: Record<string, string> = this.#user === undefined ? {} : { 'impersonate-user': this.#user };
    return this.#http.send(method, path, JSON.stringify(object), 'application/json', { headers });
  }
}
