import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ClientOptions } from '../../../../runtime/client/options.ts';
import { GenericWebhook, type GenericWebhookOptions } from '../../../../runtime/client/webhook/generic-webhook.ts';
import { loadWebhookKubeconfig } from '../../../../runtime/client/webhook/kubeconfig.ts';
import { systemClock } from '../../../../runtime/machinery/clock.ts';
import { type Answer, WebhookServer } from '../../../support/webhook-server.ts';

let server: WebhookServer;
let folder: string;
const review = Buffer.from('{"kind":"TokenReview"}');
const open: GenericWebhook[] = [];

beforeAll(async () => {
  server = await WebhookServer.open(() => ({}));
  folder = await mkdtemp(join(tmpdir(), 'webhook-'));
});
afterAll(async () => {
  for (const webhook of open) webhook.close();
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  server.requests.length = 0;
});

async function configOf(text: string): Promise<ClientOptions> {
  const path = join(folder, 'kubeconfig');
  await writeFile(path, text);
  return loadWebhookKubeconfig(path);
}

async function webhookFor(text: string, options: Partial<GenericWebhookOptions> = {}): Promise<GenericWebhook> {
  const backoff = { duration: 1, factor: 1.5, jitter: 0.2, steps: 5 };
  const webhook = new GenericWebhook({ config: await configOf(text), backoff, clock: systemClock, ...options });
  open.push(webhook);
  return webhook;
}

/** Sends the responses in turn, and repeats the last one. */
function respondWith(...responses: readonly Answer[]): void {
  let next = 0;
  server.respond = () => responses[Math.min(next++, responses.length - 1)];
}

describe('a webhook of a kubeconfig', () => {
  test('gets JSON at the path of the server, and its response is decoded', async () => {
    respondWith({ body: { status: { authenticated: true } } });
    const webhook = await webhookFor(server.kubeconfig('/review'));
    expect(await webhook.post(review)).toEqual({ status: { authenticated: true } });
    const [{ method, url, headers, body }] = server.requests;
    expect({ method, url, body }).toEqual({
      method: 'POST',
      url: '/review?timeout=30s',
      body: { kind: 'TokenReview' },
    });
    expect(headers['content-type']).toBe('application/json');
  });

  test.each<[string, () => Record<string, string>, Partial<WebhookServer['requests'][number]['headers']>]>([
    ['a token', () => ({ token: 'secret' }), { authorization: 'Bearer secret' }],
    ['a password', () => ({ username: 'a', password: 'b' }), { authorization: 'Basic YTpi' }],
  ])('is sent %s', async (_, user, headers) => {
    respondWith({});
    await (await webhookFor(server.kubeconfig('/', user()))).post(review);
    expect(server.requests[0].headers).toMatchObject(headers);
  });

  test('is shown the client certificate', async () => {
    respondWith({});
    const { certificate, key } = server.clientPair('apiserver');
    const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
    const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    await (await webhookFor(server.kubeconfig('/', user))).post(review);
    expect(server.requests[0].clientName).toBe('apiserver');
  });

  test('is asked over one connection', async () => {
    respondWith({});
    const webhook = await webhookFor(server.kubeconfig());
    for (let call = 0; call < 3; call++) await webhook.post(review);
    expect(new Set(server.requests.map(({ port }) => port)).size).toBe(1);
  });

  test('is not trusted with a certificate of another authority', async () => {
    const config = await configOf(server.kubeconfig());
    const webhook = await webhookFor(server.kubeconfig(), { config: { ...config, ca: undefined } });
    await expect(webhook.post(review)).rejects.toThrow(
      `Post "${server.url}/?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    );
  });
});

describe('a call is repeated', () => {
  const ok = { body: { ok: true } };
  test.each<[string, Answer]>([
    ['after a connection that was reset', 'abort'],
    ['at once after a 503 that says so', { status: 503, headers: { 'retry-after': '0' } }],
    ['after a 307, at the place that it names', { status: 307, headers: { location: '/other' } }],
    ['after a 500', { status: 500, body: 'broken' }],
    ['after a 504', { status: 504 }],
    ['after a 429', { status: 429 }],
    [
      'after a Status with reason InternalError',
      { status: 400, body: { kind: 'Status', status: 'Failure', message: 'm', reason: 'InternalError' } },
    ],
  ])('%s', async (_, first) => {
    respondWith(first, ok);
    expect(await (await webhookFor(server.kubeconfig())).post(review)).toEqual({ ok: true });
    expect(server.requests).toHaveLength(2);
  });

  test('with growing delays, five times at most', async () => {
    const waits: number[] = [];
    const clock = {
      now: () => 0,
      after(ms: number, callback: () => void) {
        waits.push(ms);
        queueMicrotask(callback);
        return () => {};
      },
    };
    respondWith({ status: 500, headers: { 'content-type': 'text/plain' }, body: 'broken' });
    const backoff = { duration: 100, factor: 2, jitter: 0, steps: 5 };
    const webhook = await webhookFor(server.kubeconfig(), { clock, backoff });
    await expect(webhook.post(review)).rejects.toThrow('an error on the server ("broken") has prevented the request from succeeding');
    expect(waits).toEqual([100, 200, 400, 800]);
    expect(server.requests).toHaveLength(5);
  });
});

describe('a call is not repeated', () => {
  test.each<[string, Answer, string]>([
    ['after a connection that was closed', 'reset', 'EOF'],
    ['after a 403', { status: 403, headers: { 'content-type': 'text/plain' }, body: 'go away' }, 'go away'],
    ['after a 403 whose JSON is no Status', { status: 403, body: 'go away' }, 'unknown'],
    ['after a 404', { status: 404 }, 'the server could not find the requested resource'],
    ['after a 503', { status: 503 }, 'the server is currently unable to handle the request'],
    ['after a Status', { status: 422, body: { kind: 'Status', status: 'Failure', message: 'no', reason: 'Invalid' } }, 'no'],
    ['after a response that is too large', { body: 'x'.repeat(2000) }, 'the response is larger than 1000 bytes'],
  ])('%s', async (_, response, why) => {
    respondWith(response);
    await expect((await webhookFor(server.kubeconfig(), { maxResponseBytes: 1000 })).post(review)).rejects.toThrow(why);
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, string, Answer]>([
    ['after a timeout', '/hang', 'hang'],
    ['if the delay asked for is too long', '/busy', { status: 429, headers: { 'retry-after': '3600' } }],
  ])('%s', async (_, path, answer) => {
    respondWith(answer);
    const webhook = await webhookFor(server.kubeconfig(path), { timeout: 20 });
    await expect(webhook.post(review)).rejects.toThrow('context deadline exceeded');
    // the timeout may pass before the request arrives, even after this test
    expect(server.requests.filter(({ url }) => url.startsWith(path)).length).toBeLessThanOrEqual(1);
  });

  test('when its signal is aborted', async () => {
    const stop = new AbortController();
    server.respond = () => {
      stop.abort();
      return 'hang';
    };
    await expect((await webhookFor(server.kubeconfig())).post(review, stop.signal)).rejects.toThrow('Post "');
  });
});

describe('a kubeconfig is refused', () => {
  test.each<[string, () => string, string]>([
    ['without a context', () => '{}', 'the kubeconfig has no context ""'],
    [
      'with two kinds of credentials',
      () => server.kubeconfig('/', { token: 'a', username: 'b' }),
      'more than one authentication method found',
    ],
    ['with a certificate without key', () => server.kubeconfig('/', { 'client-certificate-data': 'YQ==' }), 'must be specified together'],
    ['with a server that is no URL', () => server.kubeconfig().replace(server.url, 'ftp://x'), 'no URL of http or https'],
  ])('%s', async (_, text, why) => {
    await expect(configOf(text())).rejects.toThrow(why);
  });
});
