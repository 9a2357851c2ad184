import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AdmissionConfigurationFolder } from '../../support/admission-configuration.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { WriteFixture } from '../../support/write-fixture.ts';

const limits = [
  { type: 'Server', qps: 100, burst: 100 },
  { type: 'Namespace', qps: 1, burst: 3 },
  { type: 'User', qps: 1, burst: 5 },
  { type: 'SourceAndObject', qps: 1, burst: 2, cacheSize: 10 },
];

describe.each([
  ['on the event loop', {}],
  ['on worker threads', { workerThreshold: 0 }],
])('events, %s', (_where, options) => {
  let clock: ManualClock;
  let folder: AdmissionConfigurationFolder;
  let fixture: WriteFixture;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    clock.advance(Math.max(0, Date.now() - clock.now()));
    folder = await AdmissionConfigurationFolder.create({
      EventRateLimit: { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits },
    });
    fixture = await WriteFixture.open({
      ...options,
      clock,
      admissionControlConfigFile: folder.file,
      enableAdmissionPlugins: ['EventRateLimit'],
    });
    for (const name of ['one', 'two']) await fixture.create('/api/v1/namespaces', { metadata: { name } });
  });
  afterAll(async () => {
    await fixture.close();
    await folder.remove();
  });

  const createEvent = (namespace: string, about: string, query = '') =>
    fixture.create(`/api/v1/namespaces/${namespace}/events${query}`, {
      metadata: { name: `e-${count++}` },
      involvedObject: { kind: 'Pod', namespace, name: about },
    });
  /** New events have no source, so that the limits of other sources stay unused. */
  const createNewEvent = (namespace: string, about: string) =>
    fixture.create(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`, {
      metadata: { name: `e-${count++}` },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'a/b',
      reportingInstance: 'i',
      action: 'a',
      reason: 'r',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace, name: about },
    });
  const tooMany = (message: string) => ({ code: 429, reason: 'TooManyRequests', message });

  test('are limited by source and object, in both of their versions, by namespace and by user, and earn more in time', async () => {
    expect((await createEvent('one', 'a', '?dryRun=All')).status).toBe(201);
    expect((await createEvent('one', 'a')).status).toBe(201);
    expect((await createNewEvent('one', 'a')).status).toBe(201);
    const same = 'limit reached on type SourceAndObject for key Podonea';
    expect((await createEvent('one', 'a')).json).toMatchObject(tooMany(same));
    const namespace = 'limit reached on type Namespace for key one';
    expect((await createEvent('one', 'b')).json).toMatchObject(tooMany(namespace));
    expect((await createEvent('two', 'c')).status).toBe(201);
    const { json } = await createEvent('one', 'a');
    expect(json.message.startsWith(`[${namespace}, limit reached on type User for key `)).toBe(true);
    clock.advance(1000);
    expect((await createEvent('one', 'd')).status).toBe(201);
  });

  test('other objects are not limited', async () => {
    for (let index = 0; index < 8; index++) {
      const metadata = { name: `c-${index}` };
      expect((await fixture.create('/api/v1/namespaces/one/configmaps', { metadata })).status).toBe(201);
    }
  });
});
