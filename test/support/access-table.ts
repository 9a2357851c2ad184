import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { PolicyRule } from '../../runtime/authorization/rbac/objects.ts';
import { makeCertificateRequest } from './certificate-request.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';

/** A request of the administrator before the row's. */
interface Given {
  /** Default: POST. */
  readonly method?: string;
  readonly to: string;
  readonly body?: object;
  /** The object's uid becomes the row's `$uid`. */
  readonly uid?: boolean;
}

/** A request of a user with certain permissions, and kube-apiserver's response. See access-table.yaml. */
export interface AccessRow {
  readonly name: string;
  /**
   * The user's permissions in all namespaces: `verb,verb resource,resource[/subresource][.group][:name]`, or `verb
   * /path`.
   */
  readonly can?: readonly string[];
  /** The user's permissions in the row's namespace. */
  readonly here?: readonly string[];
  /** The permissions of other users. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
  readonly given?: readonly Given[];
  /** A method, or the name of a patch, and a path. */
  readonly send: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: object;
  readonly want: Outcome;
}

/** The visible part of a response: a Status message, or the authenticated user. */
export interface Outcome {
  readonly status: number;
  readonly message?: string;
  readonly user?: object;
}

export interface AccessSection {
  readonly title: string;
  readonly featureGates?: readonly string[];
  readonly rows: readonly AccessRow[];
}

export const accessTable = (
  parse(readFileSync(new URL('access-table.yaml', import.meta.url), 'utf8'), { maxAliasCount: -1 }) as {
    readonly sections: readonly AccessSection[];
  }
).sections;

/** The table's server options, besides the defaults. */
export const accessServer = {
  admissionPlugins: ['OwnerReferencesPermissionEnforcement'],
  runtimeConfig: ['coordination.k8s.io/v1beta1=true'],
};

const patchTypes: Readonly<Record<string, string>> = {
  APPLY: 'application/apply-patch+yaml',
  MERGE: 'application/merge-patch+json',
  STRATEGIC: 'application/strategic-merge-patch+json',
  JSON: 'application/json-patch+json',
};

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const json = 'application/json';

const widgets = {
  metadata: { name: 'widgets.acme.io' },
  spec: {
    group: 'acme.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Writes the tokens of a section's users. */
export function writeTokens(path: string, { rows }: AccessSection): Promise<void> {
  return writeFile(path, rows.map((_, at) => `token-${at},user-${at},user-${at}\n`).join(''), { mode: 0o600 });
}

/** The rows of a section on a server. */
export class AccessRun {
  readonly #section: AccessSection;
  readonly #admin: HttpClient;
  readonly #users: HttpClient;
  readonly #request = makeCertificateRequest({ commonName: 'x' }).request;
  readonly #adminRequest = makeCertificateRequest({ commonName: 'x', organizations: ['system:masters'] }).request;

  /** @param users a client without a certificate */
  constructor(section: AccessSection, admin: HttpClient, users: HttpClient) {
    this.#section = section;
    this.#admin = admin;
    this.#users = users;
  }

  /** Resolves when the users of all rows have their permissions. */
  async prepare(): Promise<void> {
    await this.#create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
    await Promise.all(this.#section.rows.map((row, at) => this.#grant(row, at)));
    await this.#eventually(() => this.#isServed());
    for (const at of this.#section.rows.keys()) await this.#eventually(() => this.#isGranted(at));
  }

  /** Sends the request of a row. The outcome has the table's names. */
  async outcomeOf(row: AccessRow): Promise<Outcome> {
    const at = this.#section.rows.indexOf(row);
    let uid = '';
    for (const given of row.given ?? []) {
      const { method = 'POST', to, body } = given;
      const { status, body: sent, json } = await this.#send(this.#admin, at, uid, { send: `${method} ${to}`, body });
      if (status > 201) throw new Error(`${row.name}: ${to} cannot be written: ${sent}`);
      if (given.uid) uid = json.metadata.uid;
    }
    return outcomeOf(await this.#send(this.#users, at, uid, row), at);
  }

  #send(
    http: HttpClient,
    at: number,
    uid: string,
    { send, body, headers }: Pick<AccessRow, 'send' | 'body' | 'headers'>,
  ): Promise<HttpResponse> {
    const [verb, path] = this.#filled(send, at, uid).split(' ');
    const patchType = patchTypes[verb];
    const manager = verb === 'APPLY' ? `${path.includes('?') ? '&' : '?'}fieldManager=m` : '';
    const content = body === undefined ? undefined : this.#filled(JSON.stringify(body), at, uid);
    const authorization = http === this.#users ? { authorization: `Bearer token-${at}` } : {};
    const more = JSON.parse(this.#filled(JSON.stringify(headers ?? {}), at, uid));
    return http.send(patchType ? 'PATCH' : verb, `${path}${manager}`, content, body && (patchType ?? json), {
      headers: { ...authorization, ...more },
    });
  }

  #filled(text: string, at: number, uid: string): string {
    const values: Readonly<Record<string, string>> = {
      ns: `row-${at}`,
      user: `user-${at}`,
      uid,
      large: 'a'.repeat(70_000),
      request: this.#request,
      adminrequest: this.#adminRequest,
    };
    return text.replace(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole);
  }

  async #grant({ can = [], here = [], also = {} }: AccessRow, at: number): Promise<void> {
    const namespace = `row-${at}`;
    await this.#create('/api/v1/namespaces', { metadata: { name: namespace } });
    const ready: PolicyRule = { verbs: ['get'], nonResourceURLs: [`/ready/${at}`] };
    await Promise.all([
      this.#create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } }),
      this.#bind(`${rbac}/namespaces/${namespace}/`, 'Role', `user-${at}`, here.map(ruleOf)),
      ...Object.entries(also).map(([user, rules]) =>
        this.#bind(`${rbac}/cluster`, 'ClusterRole', this.#filled(user, at, ''), rules.map(ruleOf)),
      ),
    ]);
    await this.#bind(`${rbac}/cluster`, 'ClusterRole', `user-${at}`, [ready, ...can.map(ruleOf)]);
  }

  async #bind(prefix: string, kind: string, user: string, rules: readonly PolicyRule[]): Promise<void> {
    const metadata = { name: `of-${user}` };
    const apiGroup = 'rbac.authorization.k8s.io';
    await this.#create(`${prefix}roles`, { metadata, rules });
    const binding = {
      roleRef: { apiGroup, kind, name: metadata.name },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    };
    await this.#create(`${prefix}rolebindings`, { metadata, ...binding });
  }

  async #create(path: string, object: object): Promise<void> {
    const { status, body } = await this.#admin.send('POST', path, JSON.stringify(object), json);
    if (status !== 201 && status !== 409) throw new Error(`${path} cannot be written: ${body}`);
  }

  async #isServed(): Promise<boolean> {
    return (await this.#admin.get('/apis/acme.io/v1/namespaces/default/widgets')).status === 200;
  }

  async #isGranted(at: number): Promise<boolean> {
    const nonResourceAttributes = { verb: 'get', path: `/ready/${at}` };
    const review = { spec: { user: `user-${at}`, nonResourceAttributes } };
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    return (await this.#admin.send('POST', path, JSON.stringify(review), json)).json.status.allowed;
  }

  async #eventually(isTrue: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; !(await isTrue()); attempt++) {
      if (attempt === 1000) throw new Error('the users never got their permissions');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function outcomeOf({ status, body, json }: HttpResponse, at: number): Outcome {
  const named = (text: string): string =>
    text.replace(new RegExp(`\\b(row|user)-${at}\\b`, 'g'), (_, word) => (word === 'row' ? '$ns' : '$user'));
  if (status < 300) {
    const { kind, status: review } = json ?? {};
    return kind === 'SelfSubjectReview' ? { status, user: JSON.parse(named(JSON.stringify(review.userInfo))) } : { status };
  }
  const message = json?.kind === 'Status' ? json.message : body.toString();
  return { status, message: named(message) };
}

const target = /^([^/.:]+(?:\/(?:[^.:]|\.(?=[^:]*\/))+)?)(?:\.([^:]+))?(?::(.+))?$/;

/** Parses a rule `verb,verb resource,resource.group:name` or `verb /path`. */
function ruleOf(text: string): PolicyRule {
  const [verbs, what] = [text.slice(0, text.indexOf(' ')).split(','), text.slice(text.indexOf(' ') + 1)];
  if (what.startsWith('/')) return { verbs, nonResourceURLs: [what] };
  const found = target.exec(what);
  if (found === null) throw new Error(`no rule: ${text}`);
  const [, resources, group = '', name] = found;
  return {
    verbs,
    apiGroups: [group],
    resources: resources.split(','),
    ...(name === undefined ? {} : { resourceNames: [name] }),
  };
}
