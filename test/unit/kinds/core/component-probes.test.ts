import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { probeHealthz } from '../../../../runtime/kinds/core/component-probes.ts';
import { type Answer, WebhookServer } from '../../../support/webhook-server.ts';

describe('the health of a component', () => {
  let server: WebhookServer;
  beforeEach(async () => {
    server = await WebhookServer.open(() => ({}));
  });
  afterEach(() => server.close());

  const port = (): number => Number(new URL(server.url).port);

  test.each<[string, Answer, object]>([
    ['success', { body: 'ok' }, { result: 'success', message: 'ok' }],
    ['success with a long body', { body: 'x'.repeat(20_000) }, { result: 'success', message: 'x'.repeat(10_240) }],
    ['failure', { status: 500 }, { result: 'failure', message: 'HTTP probe failed with statuscode: 500' }],
    [
      'redirect to nowhere',
      { status: 302, body: 'where' },
      { result: 'unknown', message: 'Probe terminated redirects, Response body: where' },
    ],
  ])('is known from a %s', async (_title, answer, wanted) => {
    server.respond = () => answer;
    expect(await probeHealthz(port(), 'v1.35')).toEqual(wanted);
    const [{ headers, url }] = server.requests;
    expect([url, headers['user-agent'], headers.accept, headers.connection, headers['accept-encoding']]).toEqual([
      '/healthz',
      'kube-probe/1.35',
      '*/*',
      'close',
      undefined,
    ]);
  });

  test.each<[string, Answer, RegExp]>([
    ['a connection that is closed', 'reset', /^Get "https:\/\/127\.0\.0\.1:\d+\/healthz": EOF$/],
    ['a redirect to itself', { status: 302, headers: { location: '/healthz' } }, /^Get "\/healthz": stopped after 10 redirects$/],
  ])('is bad after %s', async (_title, answer, message) => {
    server.respond = () => answer;
    expect(await probeHealthz(port(), 'v1.35')).toEqual({ result: 'failure', message: expect.stringMatching(message) });
  });

  test('is bad where nobody listens', async () => {
    expect(await probeHealthz(1, 'v1.35')).toEqual({
      result: 'failure',
      message: 'Get "https://127.0.0.1:1/healthz": dial tcp 127.0.0.1:1: connect: connection refused',
    });
  });
});
