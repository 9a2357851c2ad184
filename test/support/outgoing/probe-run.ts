import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { HttpClient, HttpResponse } from '../http-client.ts';
import { type ProbeAnswer, type ProbedRequest, ProbeServer } from './probe-server.ts';
import { type Row, rows } from './rows.ts';

/** The results of a server, by the title of the row. */
export type Outcomes = Record<string, string>;

/** The kinds of callers of other servers. */
export const callers = [...(['admission', 'conversion', 'authentication', 'authorization', 'audit', 'aggregation'] as const)];
export type Caller = (typeof callers)[number];

/** The rows of one caller with their numbers in the table. */
type Numbered = readonly (readonly [at: number, row: Row])[];

/** The number of concurrent rows. */
const concurrency = 48;
const numbered: Numbered = rows.map((row, at) => [at, row]);
const apis = (group: string, resource: string): string => `/apis/${group}/${resource}`;

/** Probe servers for all rows, and the files that point a server to them. */
export class OutgoingProbe {
  readonly #servers: ProbeServer;
  readonly #folder: string;

  private constructor(servers: ProbeServer, folder: string) {
    this.#servers = servers;
    this.#folder = folder;
  }

  static async open(): Promise<OutgoingProbe> {
    const servers: ProbeServer = await ProbeServer.open((request) => answerFor(request, servers));
    const probe = new OutgoingProbe(servers, await mkdtemp(join(tmpdir(), 'outgoing-')));
    await probe.#writeFiles();
    return probe;
  }

  /** Returns the path of a file: `authorization.json`, `token.json`, `audit.json` or `policy.json`. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  async close(): Promise<void> {
    await this.#servers.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Runs all rows of a caller through a server. @param http a client of the server's administrator */
  run(caller: Caller, http: HttpClient): Promise<Outcomes> {
    return runs[caller](new Run(http, this.#servers));
  }

  async #writeFiles(): Promise<void> {
    const write = (name: string, content: unknown): Promise<void> => writeFile(this.file(name), JSON.stringify(content), { mode: 0o600 });
    for (const [at, row] of numbered) await write(`row-${at}.json`, this.#kubeconfig(row));
    await write('token.json', this.#kubeconfig({ path: '/token' }));
    await write('audit.json', this.#kubeconfig({ path: '/audit' }));
    await write('policy.json', {
      kind: 'Policy',
      apiVersion: 'audit.k8s.io/v1',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata', nonResourceURLs: ['/version'] }, { level: 'None' }],
    });
    await write('authorization.json', {
      kind: 'AuthorizationConfiguration',
      apiVersion: 'apiserver.config.k8s.io/v1',
      authorizers: [...numbered.map(([at]) => this.#authorizer(at)), { type: 'RBAC', name: 'rbac' }],
    });
  }

  #kubeconfig({ listener = 'issued', host = '127.0.0.1', path = '' }: Pick<Row, 'listener' | 'host' | 'path'>): unknown {
    const { port, bundle } = this.#servers.listener(listener);
    const cluster = {
      server: `https://${host}:${port}${path}`,
      ...(bundle !== '' && { 'certificate-authority-data': base64(bundle) }),
    };
    return {
      kind: 'Config',
      apiVersion: 'v1',
      'current-context': 'probe',
      contexts: [{ name: 'probe', context: { cluster: 'probe', user: 'probe' } }],
      clusters: [{ name: 'probe', cluster }],
      users: [{ name: 'probe', user: {} }],
    };
  }

  #authorizer(at: number): unknown {
    return {
      type: 'Webhook',
      name: `row-${at}`,
      webhook: {
        timeout: '20s',
        authorizedTTL: '30s',
        unauthorizedTTL: '30s',
        failurePolicy: 'NoOpinion',
        subjectAccessReviewVersion: 'v1',
        matchConditionSubjectAccessReviewVersion: 'v1',
        connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: this.file(`row-${at}.json`) },
        matchConditions: [{ expression: `request.user == 'row-${at}'` }],
      },
    };
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Returns a row's response at its own path. A kubeconfig for all rows leads to the listener of one. */
function answerFor({ request, row: at }: ProbedRequest, servers: ProbeServer): ProbeAnswer | undefined {
  const row = at === undefined ? undefined : rows[at];
  const path = (request.url ?? '').replace(/\?.*/, '');
  if (row === undefined || path === '/seen') return undefined;
  if (path.startsWith('/apis/')) return row.answer ?? (path.split('/').length === 4 ? discovery(path) : undefined);
  if (row.about !== 'certificate') return path === row.path || isShared(path) ? row.answer : undefined;
  const { port } = servers.listener(row.listener ?? 'issued');
  return (response) => response.writeHead(307, { location: `https://127.0.0.1:${port}/seen` }).end();
}

const isShared = (path: string): boolean => path === '/token' || path === '/audit';

function discovery(path: string): ProbeAnswer {
  const groupVersion = path.replace('/apis/', '');
  const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [] };
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
}

/** One run of the table for one caller. */
class Run {
  readonly http: HttpClient;
  readonly servers: ProbeServer;
  /** A unique name. */
  readonly name = `probe-${Date.now().toString(36)}`;

  constructor(http: HttpClient, servers: ProbeServer) {
    this.http = http;
    this.servers = servers;
  }

  send(method: string, path: string, body?: object): Promise<HttpResponse> {
    return this.http.send(method, path, body === undefined ? undefined : JSON.stringify(body), 'application/json');
  }

  /** @throws Error unless the object is created */
  async create(path: string, body: object): Promise<void> {
    const { status, body: text } = await this.send('POST', path, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
  }

  /** Asks for each row. Rows with little time have the servers for themselves. */
  async each(all: Numbered, ask: (at: number, row: Row) => Promise<string>): Promise<Outcomes> {
    const found: Outcomes = {};
    for (const isHasty of [false, true]) {
      const rest = all.filter(([, { timeoutSeconds }]) => (timeoutSeconds !== undefined) === isHasty);
      const work = async (): Promise<void> => {
        for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
          const [at, row] = next;
          found[row.title] = this.#normalized(await ask(at, row));
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    }
    return Object.fromEntries(all.map(([, { title }]) => [title, found[title]]));
  }

  clientConfig({ listener = 'issued', host = '127.0.0.1', path = '' }: Row): object {
    const { port, bundle } = this.servers.listener(listener);
    return { url: `https://${host}:${port}${path}`, ...(bundle !== '' && { caBundle: base64(bundle) }) };
  }

  /** Returns the number of requests for a row. */
  callsOf(at: number): number {
    return this.servers.requests.filter(({ row }) => row === at).length;
  }

  /** Removes ports, uids and times. */
  #normalized(text: string): string {
    return text
      .replaceAll(this.name, 'NAME')
      .replace(/127\.0\.0\.1:(?!1\b)\d+/g, '127.0.0.1:PORT')
      .replace(/(256\.1\.1\.1|\.onion|\.invalid):\d+/g, '$1:PORT')
      .replace(/\d{4}-\d\d-\d\dT[\d:]+(?:Z|[+-]\d\d:\d\d)/g, 'TIME')
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID');
  }
}

/** Repeats until a result is defined. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await ask();
    if (result !== undefined) return result;
    await setTimeout(20);
  }
}

/** Rows without their own timeout, for callers with a fixed timeout. */
const quick: Numbered = numbered.filter(([, { timeoutSeconds }]) => timeoutSeconds === undefined);
const of = (...what: Row['about'][]): Numbered => quick.filter(([, { about }]) => what.includes(about));
/** Statuses are equal for all callers, and each row takes a definition or a service. */
const withoutStatuses: Numbered = numbered.filter(([, { about, title }]) => about !== 'answer' || !/^\d/.test(title));

const runs: Readonly<Record<Caller, (run: Run) => Promise<Outcomes>>> = {
  admission,
  conversion,
  authentication,
  authorization,
  audit,
  aggregation,
};

async function admission(run: Run): Promise<Outcomes> {
  const { name } = run;
  const configurations = apis('admissionregistration.k8s.io', 'v1/validatingwebhookconfigurations');
  await run.create('/api/v1/namespaces', { metadata: { name } });
  const webhooks = numbered.map(([at, row]) => ({
    name: `row-${at}.example.com`,
    clientConfig: run.clientConfig(row),
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
    objectSelector: { matchLabels: { row: `row-${at}` } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
    timeoutSeconds: row.timeoutSeconds ?? 10,
  }));
  await run.create(configurations, { metadata: { name }, webhooks });
  const ask = async (at: number): Promise<string> => {
    const { status, json } = await run.send('POST', `/api/v1/namespaces/${name}/configmaps?dryRun=All`, {
      metadata: { name: 'probe', labels: { row: `row-${at}` } },
    });
    return `${status} ${json.message ?? ''}`;
  };
  // wait until the configuration is in force
  await until(async () => ((await ask(0)).startsWith('201') ? undefined : true));
  try {
    return await run.each(numbered, async (at) => {
      const before = run.callsOf(at);
      const outcome = await ask(at);
      return `${run.callsOf(at) - before} ${outcome}`;
    });
  } finally {
    await run.send('DELETE', `${configurations}/${name}`);
  }
}

async function conversion(run: Run): Promise<Outcomes> {
  const definitions = apis('apiextensions.k8s.io', 'v1/customresourcedefinitions');
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return run.each(
    withoutStatuses.filter((row) => quick.includes(row)),
    async (at, row) => {
      const group = `row-${at}.probe.example`;
      const version = (version: string) => ({ name: version, served: true, storage: version === 'v1', schema });
      await run.create(definitions, {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [version('v1'), version('v2')],
          conversion: {
            strategy: 'Webhook',
            webhook: { conversionReviewVersions: ['v1'], clientConfig: run.clientConfig(row) },
          },
        },
      });
      const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'probe' } };
      await until(async () => ((await run.send('POST', apis(group, 'v1/things'), thing)).status === 201 ? true : undefined));
      const { status, json } = await until(async () => {
        const answer = await run.http.get(apis(group, 'v2/things/probe'));
        return answer.status === 404 ? undefined : answer;
      });
      await run.send('DELETE', `${definitions}/things.${group}`);
      return `${status} ${json?.message ?? ''}`;
    },
  );
}

/** One kubeconfig has one authority, so certificates of other authorities are left out. */
function authentication(run: Run): Promise<Outcomes> {
  const { bundle } = run.servers.listener('issued');
  const hasAuthority = ({ listener = 'issued' }: Row): boolean => run.servers.listener(listener).bundle === bundle;
  const all = of('certificate', 'answer', 'redirect').filter(([, row]) => hasAuthority(row));
  return run.each(all, async (at) => {
    const review = { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', spec: { token: `row-${at}` } };
    const { status, json } = await run.send('POST', apis('authentication.k8s.io', 'v1/tokenreviews'), review);
    return `${status} ${json.status?.error ?? ''}`;
  });
}

function authorization(run: Run): Promise<Outcomes> {
  return run.each(quick, async (at) => {
    const before = run.callsOf(at);
    const { status, json } = await run.send('POST', apis('authorization.k8s.io', 'v1/subjectaccessreviews'), {
      spec: { user: `row-${at}`, nonResourceAttributes: { path: '/probe', verb: 'get' } },
    });
    return `${run.callsOf(at) - before} ${status} ${json.status?.reason ?? ''} | ${json.status?.evaluationError ?? ''}`;
  });
}

/** Errors are invisible, but the number of attempts is not. */
function audit(run: Run): Promise<Outcomes> {
  return run.each(of('answer', 'redirect'), async (at) => {
    const before = run.callsOf(at);
    await run.http.get(`/version?row-${at}`);
    return `${run.callsOf(at) - before}`;
  });
}

const brokenOff = { status: 0, body: Buffer.from('broken off') };

async function aggregation(run: Run): Promise<Outcomes> {
  const services = '/api/v1/namespaces/default/services';
  const registrations = apis('apiregistration.k8s.io', 'v1/apiservices');
  const all = quick.filter((row) => withoutStatuses.includes(row) && row[1].about !== 'path' && row[1].about !== 'host');
  return run.each(all, async (at, { listener = 'issued' }) => {
    const { port, bundle } = run.servers.listener(listener);
    const group = `row-${at}.probe.example`;
    const service = { metadata: { name: `row-${at}` }, spec: { type: 'ExternalName', externalName: '127.0.0.1' } };
    await run.create(services, service);
    await run.create(registrations, {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { namespace: 'default', name: `row-${at}`, port },
        ...(bundle !== '' && { caBundle: base64(bundle) }),
      },
    });
    const condition = await until(async () => {
      const { json } = await run.http.get(`${registrations}/v1.${group}`);
      const [found] = json.status?.conditions ?? [];
      return found?.reason === 'Pending' ? undefined : found;
    });
    const { status, body } = await until(async () => {
      const answer = await run.http.get(apis(group, 'v1/things')).catch(() => brokenOff);
      const isLate = condition.status === 'True' && String(answer.body) === 'service unavailable\n';
      return isLate || answer.status === 404 ? undefined : answer;
    });
    await run.send('DELETE', `${registrations}/v1.${group}`);
    await run.send('DELETE', `${services}/row-${at}`);
    return `${condition.status} ${condition.reason}: ${condition.message} | ${status} ${body}`;
  });
}
