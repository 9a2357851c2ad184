import { describe, expect, test } from '@jest/globals';
import { startServer } from '../../../../runtime/index.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { review } from '../../../support/test-group.ts';
import { TestServer } from '../../../support/test-server.ts';

describe('reviews of a test', () => {
  const suite = TestServer.forSuite({ testControls: true, clock: 'manual' });

  test('a ClockAdvance answers when the time has passed, however long that is', async () => {
    const before = suite.server.clock.now();
    const advanced = await review(suite.http, 'clockadvances', { duration: '1h30m' });
    const now = suite.server.clock.now();
    expect(now - before).toBe(5_400_000);
    expect([advanced.status, Date.parse(advanced.json.status.now)]).toEqual([201, now]);
    expect((await review(suite.http, 'clockadvances', { duration: '1h' }, { query: '?dryRun=All' })).status).toBe(201);
    expect(suite.server.clock.now()).toBe(now);
  });

  test.each([
    ['1x', 'Invalid value: "1x": time: unknown unit "x" in duration "1x"'],
    ['-1s', 'Invalid value: "-1s": must be greater than or equal to 0'],
    ['1.5ms', 'Invalid value: "1.5ms": must be a multiple of 1ms'],
  ])('a ClockAdvance by %s is invalid', async (duration, why) => {
    const { status, json } = await review(suite.http, 'clockadvances', { duration });
    expect([status, json.message]).toEqual([422, `ClockAdvance.testing.kubeloom.dev "" is invalid: spec.duration: ${why}`]);
  });

  test('a RequestLogReview has the requests that it matches, and none for the group', async () => {
    const agent = { headers: { 'user-agent': 'seeker/v1' } };
    await suite.http.get('/api/v1/namespaces/default', agent);
    await review(suite.http, 'clockadvances', { duration: '1s' }, agent);
    await suite.http.get('/api/v1/namespaces/absent', agent);
    const match = { userAgents: ['seeker/*'] };
    const all = await review(suite.http, 'requestlogreviews', { match });
    const rows = all.json.status.items.map(({ verb, name, code }: Record<string, unknown>) => [verb, name, code]);
    expect(rows).toEqual([
      ['get', 'default', 200],
      ['get', 'absent', 404],
    ]);
    const { sequence: since } = all.json.status.items[0];
    const later = await review(suite.http, 'requestlogreviews', { match, since });
    expect(later.json.status.items).toEqual(all.json.status.items.slice(1));
    const missing = await review(suite.http, 'requestlogreviews', { match, codes: [404] });
    expect(missing.json.status.items).toEqual(later.json.status.items);
  });
});

test('a SettledReview says whether the server has settled, and what is under way', async () => {
  const server = await startServer({ testControls: true, clock: 'manual' });
  const http = HttpClient.for(server);
  try {
    const calm = await review(http, 'settledreviews', { quiet: '10ms' });
    expect(calm.json.status).toEqual({ settled: true });
    const unknown = await review(http, 'settledreviews', { controllers: ['absent/*'], quiet: '10ms', timeout: '30ms' });
    expect(unknown.json.status).toEqual({ settled: false, reason: expect.stringContaining('absent/*') });
    const bad = await review(http, 'settledreviews', { quiet: 'long' });
    expect(bad.json.message).toContain('spec.quiet: Invalid value: "long": time: invalid duration "long"');
  } finally {
    http.close();
    await server.close();
  }
});

test('a clock that goes by itself cannot be advanced', async () => {
  const server = await startServer({ testControls: true });
  const http = HttpClient.for(server);
  try {
    const { status, json } = await review(http, 'clockadvances', { duration: '1s' });
    expect([status, json.message]).toEqual([400, "only the clock of a server that was started with clock: 'manual' can be advanced"]);
  } finally {
    http.close();
    await server.close();
  }
});
