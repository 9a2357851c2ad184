import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type RunningServer, type ServerOptions, startServer } from '../../../runtime/index.ts';
import { AuditLog } from '../../support/audit-log.ts';
import { HttpClient } from '../../support/http-client.ts';
import { type Respond, WebhookServer } from '../../support/webhook-server.ts';

const rules = [{ level: 'None', nonResourceURLs: ['*'] }, { level: 'Metadata' }];
/** Every write fails with ENOSPC. */
const fullDisk = '/dev/full';
const modes = ['batch', 'blocking', 'blocking-strict'] as const;

let closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
});

async function auditLog(policyRules: readonly object[] = rules): Promise<AuditLog> {
  const log = await AuditLog.withRules(policyRules);
  closers.push(() => log.remove());
  return log;
}

async function open(options: ServerOptions): Promise<{ server: RunningServer; http: HttpClient }> {
  const server = await startServer(options);
  closers.push(() => server.close());
  const http = HttpClient.for(server);
  closers.push(() => http.close());
  return { server, http };
}

async function counters(http: HttpClient): Promise<Record<string, number>> {
  const text = (await http.get('/metrics')).body.toString();
  const lines = [...text.matchAll(/^apiserver_audit_(error|requests_rejected)_total(?:\{plugin="(\w+)"\})? (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, name, plugin = name, value]) => [plugin, Number(value)]));
}

describe('a full disk', () => {
  test.each(modes)('in mode %s fails requests only if it is strict', async (mode) => {
    const { policyFile } = await auditLog();
    const { http } = await open({ auditPolicyFile: policyFile, auditLogPath: fullDisk, auditLogMode: mode });
    const response = await http.get('/api/v1/nodes?limit=1');
    const isStrict = mode === 'blocking-strict';
    expect(response.status).toBe(isStrict ? 500 : 200);
    if (isStrict) {
      expect(response.body.toString()).toBe('Internal Server Error: "/api/v1/nodes?limit=1": failed to store audit event\n');
      expect(response.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
      });
    }
    const failed = isStrict ? 1 : 2;
    let counted = await counters(http);
    for (let tries = 0; counted.log !== failed && tries < 100; tries++) counted = await counters(http);
    expect(counted).toEqual({ log: failed, requests_rejected: isStrict ? 1 : 0 });
  });

  test('rejects nothing if the policy omits the first stage', async () => {
    const log = await AuditLog.withRules(rules, { omitStages: ['RequestReceived'] });
    closers.push(() => log.remove());
    const { http } = await open({
      auditPolicyFile: log.policyFile,
      auditLogPath: fullDisk,
      auditLogMode: 'blocking-strict',
    });
    expect((await http.get('/api/v1/nodes')).status).toBe(200);
    expect(await counters(http)).toEqual({ log: 1, requests_rejected: 0 });
  });
});

describe('the log', () => {
  test.each(modes)('in mode %s has all events once the server is closed', async (mode) => {
    const log = await auditLog();
    const { server, http } = await open({
      auditPolicyFile: log.policyFile,
      auditLogPath: log.path,
      auditLogMode: mode,
    });
    await Promise.all(Array.from({ length: 20 }, (_, index) => http.get(`/api/v1/nodes?limit=${index + 1}`)));
    await server.close();
    const events = await log.events();
    expect(events).toHaveLength(40);
    expect(new Set(events.map(({ requestURI, stage }) => `${requestURI} ${stage}`)).size).toBe(40);
  });

  test.each(['blocking', 'blocking-strict'] as const)('in mode %s has an event before its response', async (mode) => {
    const log = await auditLog();
    const { server, http } = await open({
      auditPolicyFile: log.policyFile,
      auditLogPath: log.path,
      auditLogMode: mode,
    });
    await http.get('/api/v1/nodes', { headers: { 'audit-id': 'http1' } });
    expect(await log.events('http1')).toHaveLength(2);
    const client = await server.client();
    await client.core.v1.nodes.list();
    expect((await log.events()).filter(({ stage }) => stage === 'ResponseComplete')).toHaveLength(2);
  });

  test('in format legacy has a line of text for each event', async () => {
    const log = await auditLog();
    const { http } = await open({
      auditPolicyFile: log.policyFile,
      auditLogPath: log.path,
      auditLogFormat: 'legacy',
    });
    await http.get('/api/v1/namespaces/default/pods', { headers: { 'audit-id': 'id', 'user-agent': 'me "1"' } });
    const { readFile } = await import('node:fs/promises');
    const [received, complete] = (await readFile(log.path, 'utf8')).split('\n');
    const rest =
      'ip="127.0.0.1" method="list" user="kubernetes-admin" groups="\\"system:masters\\",\\"system:authenticated\\"" ' +
      'as="<self>" asgroups="<lookup>" user-agent="me \\"1\\"" namespace="default" ' +
      'uri="/api/v1/namespaces/default/pods" response="';
    expect(received).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z AUDIT: id="id" stage="RequestReceived" /);
    expect(received.endsWith(`${rest}<deferred>"`)).toBe(true);
    expect(complete.endsWith(`${rest}200"`)).toBe(true);
  });
});

describe('the webhook', () => {
  async function webhookOptions(respond: Respond): Promise<{ webhook: WebhookServer; options: ServerOptions }> {
    const webhook = await WebhookServer.open(respond);
    closers.push(() => webhook.close());
    const log = await auditLog();
    const config = join(log.folder, 'webhook.yaml');
    await writeFile(config, webhook.kubeconfig('/audit', { token: 'secret' }));
    const options = {
      auditPolicyFile: log.policyFile,
      auditWebhookConfigFile: config,
      auditWebhookInitialBackoff: 1,
    };
    return { webhook, options };
  }

  test('gets events in batches', async () => {
    const { webhook, options } = await webhookOptions(() => ({ body: 'thanks' }));
    const { server, http } = await open({ ...options, auditWebhookBatchMaxSize: 4 });
    for (let sent = 0; sent < 3; sent++) await http.get('/api/v1/nodes');
    await server.close();
    expect(webhook.requests.map(({ body }) => body.items.length)).toEqual([4, 2]);
    expect(webhook.requests[0]).toMatchObject({
      method: 'POST',
      url: '/audit?timeout=30s',
      headers: { authorization: 'Bearer secret' },
      body: { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {} },
    });
    const [first] = webhook.requests[0].body.items;
    expect(first).toMatchObject({ level: 'Metadata', stage: 'RequestReceived', verb: 'list' });
    expect(first).not.toHaveProperty('kind');
  });

  test('is called again when it fails', async () => {
    let calls = 0;
    const { webhook, options } = await webhookOptions(() => ({ status: ++calls < 3 ? 403 : 200 }));
    const { http } = await open({ ...options, auditWebhookMode: 'blocking-strict' });
    expect((await http.get('/api/v1/nodes')).status).toBe(200);
    expect(webhook.requests).toHaveLength(4);
    expect(await counters(http)).toEqual({ requests_rejected: 0 });
  });

  test('holds a response in the blocking modes until it has the event', async () => {
    let answered = 0;
    const { options } = await webhookOptions(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      answered++;
      return {};
    });
    const { http } = await open({ ...options, auditWebhookMode: 'blocking' });
    const response = await http.get('/api/v1/nodes');
    expect(answered).toBe(2);
    expect(response.json.kind).toBe('NodeList');
    expect((await http.get('/api/v1/nodes/none')).status).toBe(404);
    expect(answered).toBe(4);
  });

  test.each(modes)('that is dead in mode %s fails requests only if it is strict', async (mode) => {
    const { options } = await webhookOptions(() => 'reset');
    const { server, http } = await open({ ...options, auditWebhookMode: mode, auditWebhookBatchMaxSize: 1 });
    const isStrict = mode === 'blocking-strict';
    expect((await http.get('/api/v1/nodes')).status).toBe(isStrict ? 500 : 200);
    if (mode === 'batch') return server.close();
    expect(await counters(http)).toEqual({ webhook: isStrict ? 1 : 2, requests_rejected: isStrict ? 1 : 0 });
  });

  test('and the log get the same events', async () => {
    const { webhook, options } = await webhookOptions(() => ({}));
    const log = await auditLog();
    const { http } = await open({ ...options, auditWebhookMode: 'blocking', auditLogPath: log.path });
    await http.get('/api/v1/nodes');
    const withoutType = (await log.events()).map(({ kind: _, apiVersion: __, ...event }) => event);
    expect(webhook.requests.flatMap(({ body }) => body.items)).toEqual(withoutType);
  });
});

describe('large events', () => {
  test('lose their bodies', async () => {
    const log = await auditLog([{ level: 'RequestResponse', resources: [{ resources: ['configmaps'] }] }]);
    const { http } = await open({
      auditPolicyFile: log.policyFile,
      auditLogPath: log.path,
      auditLogTruncateEnabled: true,
      auditLogTruncateMaxEventSize: 2000,
    });
    const body = (text: string): string => JSON.stringify({ metadata: { generateName: 'a' }, data: { text } });
    for (const [auditId, text] of [
      ['small', 'x'],
      ['large', 'x'.repeat(2000)],
    ]) {
      const headers = { 'audit-id': auditId };
      await http.send('POST', '/api/v1/namespaces/default/configmaps', body(text), 'application/json', { headers });
    }
    const [small] = (await log.events('small')).slice(-1);
    const [large] = (await log.events('large')).slice(-1);
    expect(small.requestObject.data).toEqual({ text: 'x' });
    expect(large).not.toHaveProperty('requestObject');
    expect(large).not.toHaveProperty('responseObject');
    expect(large.annotations).toMatchObject({ 'audit.k8s.io/truncated': 'true' });
  });
});

describe('options', () => {
  test.each<[ServerOptions, string]>([
    [{ auditPolicyFile: '/none' }, 'loading audit policy file: failed to read file path "/none": '],
    [
      { auditLogPath: '/tmp/x', auditLogMode: 'fast' as never },
      'invalid audit log mode fast, allowed modes are "batch,blocking,blocking-strict"',
    ],
    [
      { auditLogPath: '/tmp/x', auditLogMode: 'batch', auditLogBatchBufferSize: 0 },
      'invalid audit batch log buffer size 0, must be a positive number',
    ],
    [{ auditLogPath: '/tmp/x', auditLogMaxAge: -1 }, "--audit-log-maxage -1 can't be a negative number"],
    [{ auditLogPath: '/tmp/x', auditLogFormat: 'xml' as never }, 'invalid audit log format xml, allowed formats are "legacy,json"'],
    [
      { auditWebhookConfigFile: '/none', auditWebhookBatchThrottleQPS: 0 },
      'invalid audit batch webhook throttle QPS 0, must be a positive number',
    ],
    [
      { auditWebhookConfigFile: '/none', auditWebhookTruncateMaxBatchSize: 1 },
      'invalid audit truncate webhook max batch size 1, must be greater than max event size (102400)',
    ],
    [
      { auditLogPath: '/tmp/x', auditLogVersion: 'audit.k8s.io/v1beta1' },
      'invalid group version, allowed versions are ["audit.k8s.io/v1"]',
    ],
  ])('%j are refused', async (options, message) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });

  test('that name a folder that cannot be made, or a missing kubeconfig, are refused', async () => {
    const { policyFile } = await auditLog();
    const policy = { auditPolicyFile: policyFile };
    await expect(startServer({ ...policy, auditLogPath: '/dev/null/audit.log' })).rejects.toThrow('ensureLogFile: ');
    await expect(startServer({ ...policy, auditWebhookConfigFile: '/none' })).rejects.toThrow('initializing audit webhook: ');
  });
});
