import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { WebhookServer } from '../../support/webhook-server.ts';

let folder: string;
let server: RunningServer | undefined;
let clients: HttpClient[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'authorization-'));
  clients = [];
});

afterEach(async () => {
  for (const client of clients) client.close();
  await server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

const kept = (client: HttpClient): HttpClient => {
  clients.push(client);
  return client;
};

/** Starts a server that authenticates jane and system:node:one by tokens of the same names. */
async function start(options: ServerOptions) {
  const tokenAuthFile = join(folder, 'tokens.csv');
  await writeFile(tokenAuthFile, 'jane,jane,1,"devs"\nnode,system:node:one,2,"system:nodes"\n');
  server = await startServer({ ...options, tokenAuthFile });
  const admin = kept(HttpClient.for(server));
  const stranger = kept(HttpClient.withoutCertificate(server));
  return {
    create: async (path: string, object: object) => {
      const { status, body } = await admin.send('POST', path, JSON.stringify(object), 'application/json');
      if (status !== 201) throw new Error(body.toString());
    },
    as: (token: string, path: string) => stranger.get(path, { headers: { authorization: `Bearer ${token}` } }),
  };
}

/** Writes a file to the folder, and returns its path. */
async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

/** Writes a kubeconfig of the webhook to the folder. */
const kubeconfigOf = (webhook: WebhookServer, name = 'webhook.kubeconfig'): Promise<string> => fileOf(name, webhook.kubeconfig());

/** Opens a webhook that allows requests for these resources. */
const webhookThatAllows = (...resources: readonly string[]): Promise<WebhookServer> =>
  WebhookServer.open(({ body: { apiVersion, kind, spec } }) => {
    const allowed = resources.includes(spec.resourceAttributes?.resource);
    return { body: { apiVersion, kind, status: allowed ? { allowed } : { allowed, reason: 'not on the list' } } };
  });

describe('the mode Node', () => {
  test('lets a kubelet read what its pods need, as long as they need it', async () => {
    const { create, as } = await start({ authorizationMode: ['Node', 'RBAC'] });
    const secret = '/api/v1/namespaces/default/secrets/s';
    await create('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    expect((await as('node', secret)).json.message).toBe(
      'secrets "s" is forbidden: User "system:node:one" cannot get resource "secrets" in API group "" in the namespace ' +
        '"default": no relationship found between node \'one\' and this object',
    );
    await create('/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: {
        nodeName: 'one',
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', secret: { secretName: 's' } }],
      },
    });
    expect((await as('node', secret)).status).toBe(200);
    expect((await as('node', '/api/v1/pods?fieldSelector=spec.nodeName%3Done')).status).toBe(200);
    expect((await as('node', '/api/v1/pods')).status).toBe(403);
    const admin = clients[0];
    const pod = '/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0';
    expect((await admin.send('DELETE', pod)).status).toBe(200);
    expect((await as('node', secret)).status).toBe(403);
  });

  test('knows the pods of an earlier run', async () => {
    const place = { storage: 'lmdb', dataDir: join(folder, 'data'), unsafeNoFsync: true } as const;
    const first = await start({ ...place, authorizationMode: ['Node'] });
    await first.create('/api/v1/namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { nodeName: 'one', containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'm' } }] }] },
    });
    await server?.close();
    const { as } = await start({ ...place, authorizationMode: ['Node'] });
    expect((await as('node', '/api/v1/namespaces/default/configmaps/m')).status).toBe(404);
    expect((await as('node', '/api/v1/namespaces/default/configmaps/other')).status).toBe(403);
  });
});

describe('the mode Webhook', () => {
  test('asks the webhook of the kubeconfig', async () => {
    const webhook = await webhookThatAllows('configmaps');
    try {
      const { as } = await start({
        authorizationMode: ['Webhook'],
        authorizationWebhookConfigFile: await kubeconfigOf(webhook),
      });
      expect((await as('jane', '/api/v1/configmaps?labelSelector=a%3Db')).status).toBe(200);
      expect((await as('jane', '/api/v1/secrets')).json.message).toBe(
        'secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" at the cluster scope: not on the list',
      );
      // decisions are cached
      expect((await as('jane', '/api/v1/secrets')).status).toBe(403);
      expect(webhook.requests.map(({ body }) => [body.apiVersion, body.spec])).toEqual([
        [
          'authorization.k8s.io/v1beta1',
          {
            resourceAttributes: {
              verb: 'list',
              version: 'v1',
              resource: 'configmaps',
              labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
            },
            user: 'jane',
            uid: '1',
            group: ['devs', 'system:authenticated'],
          },
        ],
        ['authorization.k8s.io/v1beta1', expect.objectContaining({ user: 'jane' })],
      ]);
      // administrators need no webhook
      expect((await clients[0].get('/api/v1/secrets')).status).toBe(200);
      expect(webhook.requests).toHaveLength(2);
    } finally {
      await webhook.close();
    }
  });
});

describe('an AuthorizationConfiguration', () => {
  const configuration = (...authorizers: readonly object[]): string =>
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers });
  const rbac = { type: 'RBAC', name: 'rbac' };
  const webhookNamed = (name: string, kubeConfigFile: string, more: object = {}): object => ({
    type: 'Webhook',
    name,
    webhook: {
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'Deny',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
      ...more,
    },
  });

  test('may name several webhooks with conditions, asked in their order', async () => {
    const maps = await webhookThatAllows('configmaps');
    const secrets = await webhookThatAllows('secrets');
    try {
      const conditions = [
        { expression: 'has(request.resourceAttributes)' },
        { expression: "request.resourceAttributes.resource == 'secrets'" },
      ];
      const more = { matchConditionSubjectAccessReviewVersion: 'v1', matchConditions: conditions };
      const authorizationConfig = await fileOf(
        'config.yaml',
        configuration(
          webhookNamed('secrets', await kubeconfigOf(secrets, 'secrets.kubeconfig'), more),
          webhookNamed('maps', await kubeconfigOf(maps, 'maps.kubeconfig')),
        ),
      );
      const { as } = await start({ authorizationConfig });
      expect((await as('jane', '/api/v1/configmaps')).status).toBe(200);
      expect((await as('jane', '/api/v1/secrets')).status).toBe(200);
      expect((await as('jane', '/api/v1/pods')).status).toBe(403);
      expect([secrets.requests.length, maps.requests.length]).toEqual([1, 2]);
    } finally {
      await Promise.all([maps.close(), secrets.close()]);
    }
  });

  test('is read again when it changes', async () => {
    const clock = new ManualClock();
    clock.advance(Math.max(0, Date.now() - clock.now()));
    const path = await fileOf('config.yaml', configuration(rbac));
    const { as } = await start({ authorizationConfig: path, clock });
    expect((await as('jane', '/api/v1/configmaps')).status).toBe(403);
    await writeFile(path, configuration(rbac, { type: 'AlwaysAllow', name: 'alwaysallow' }));
    // the file is read in the background
    while ((await as('jane', '/api/v1/configmaps')).status !== 200) clock.advance(10_000);
  });

  test.each([
    ['', "failed to load AuthorizationConfiguration from file: Object 'Kind' is missing in ''"],
    [configuration(), 'authorizers: Required value: at least one authorization mode must be defined'],
    [configuration({ type: 'RBAC', name: 'r' }), 'expected name rbac for authorizer RBAC instead of r'],
    [configuration({ type: 'ABAC', name: 'abac' }), 'authorizer ABAC is not supported by this server'],
    [
      configuration(webhookNamed('w', '/', { connectionInfo: { type: 'InClusterConfig' } })),
      'authorizer w: connectionInfo.type InClusterConfig is not supported by this server',
    ],
  ])('%j is refused at the start', async (text, message) => {
    const authorizationConfig = await fileOf('config.yaml', text);
    await expect(startServer({ authorizationConfig })).rejects.toThrow(`--authorization-config: ${message}`);
  });
});

describe('options of authorization', () => {
  test.each<[ServerOptions, string]>([
    [{ authorizationMode: [] }, '--authorization-mode: at least one authorization-mode must be passed'],
    [{ authorizationMode: ['X'] }, '--authorization-mode: authorization-mode "X" is not a valid mode'],
    [{ authorizationMode: ['RBAC', 'RBAC'] }, '--authorization-mode: authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
    [{ authorizationMode: ['Webhook'] }, "authorization-mode Webhook's authorization config file not passed"],
    [{ authorizationWebhookConfigFile: '/x' }, 'cannot specify --authorization-webhook-config-file without mode Webhook'],
    [{ authorizationMode: ['Webhook'], authorizationWebhookConfigFile: '/nowhere' }, "ENOENT: no such file or directory, open '/nowhere'"],
    [
      { authorizationMode: ['RBAC'], authorizationConfig: '/x' },
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    ],
    [{ authorizationConfig: '/nowhere' }, "--authorization-config: ENOENT: no such file or directory, open '/nowhere'"],
  ])('%j are refused', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });
});
