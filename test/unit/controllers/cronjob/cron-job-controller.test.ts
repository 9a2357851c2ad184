import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cronJobController } from '../../../../runtime/controllers/cronjob/cron-job-controller.ts';
import { ttlAfterFinishedController } from '../../../../runtime/controllers/ttl-after-finished/ttl-after-finished-controller.ts';
import type { TestResource } from '../../../support/resource-stores.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
const jobTemplate = { metadata: { labels: { app: 'report' }, annotations: { a: 'b' } }, spec: { template } };

describe('the cron job controller', () => {
  let cluster: SimulatedCluster;
  let cronJobs: TestResource;
  let jobs: TestResource;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [cronJobController(context), ttlAfterFinishedController(context)]);
    cronJobs = await cluster.stores.of('batch/cronjobs');
    jobs = await cluster.stores.of('batch/jobs');
  });

  afterEach(() => cluster.close());

  async function create(spec: object): Promise<TestObject> {
    const created = await cronJobs.create({
      metadata: { name: 'report' },
      spec: { schedule: '*/10 * * * *', jobTemplate, ...spec },
    });
    await cluster.settle();
    return created;
  }

  async function minutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute++) {
      cluster.clock.advance(60_000);
      await cluster.settle();
    }
    cluster.clock.advance(100);
    await cluster.settle();
  }

  async function finish(name: string, isComplete = true): Promise<void> {
    const time = new Date(cluster.clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
    const types = isComplete ? ['SuccessCriteriaMet', 'Complete'] : ['FailureTarget', 'Failed'];
    const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: time }));
    const status = { conditions, startTime: time, ...(isComplete ? { completionTime: time } : {}) };
    await jobs.update(name, (job) => Object.assign(job, { status }), { part: 'status' });
    await cluster.settle();
  }

  const status = () => cronJobs.get('report')?.status;
  const names = async () => (await cluster.list('batch/jobs')).map(({ metadata }) => metadata.name);
  const minuteOf = (time: string) => Date.parse(time) / 60_000;
  const job = (time: string) => `report-${minuteOf(time)}`;

  it('starts a job whenever it is due, and tells of it', async () => {
    const { metadata } = await create({});
    await minutes(9);
    expect(await names()).toEqual([]);
    await minutes(1);
    const first = job('2026-01-01T00:10Z');
    expect(await names()).toEqual([first]);
    expect(jobs.get(first)?.metadata).toMatchObject({
      labels: { app: 'report' },
      annotations: { a: 'b', 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:10:00Z' },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'report', uid: metadata.uid, controller: true }],
    });
    expect(status()).toEqual({
      active: [expect.objectContaining({ kind: 'Job', apiVersion: 'batch/v1', namespace: 'default', name: first })],
      lastScheduleTime: '2026-01-01T00:10:00Z',
    });
    await finish(first);
    expect(status()).toEqual({
      lastScheduleTime: '2026-01-01T00:10:00Z',
      lastSuccessfulTime: '2026-01-01T00:10:00Z',
    });
    await minutes(10);
    expect(await names()).toEqual([first, job('2026-01-01T00:20Z')]);
    expect((await cluster.events('CronJob')).sort()).toEqual([
      `Normal SawCompletedJob: Saw completed job: ${first}, condition: Complete`,
      `Normal SuccessfulCreate: Created job ${first}`,
      `Normal SuccessfulCreate: Created job ${job('2026-01-01T00:20Z')}`,
    ]);
  });

  it('reads the schedule in its time zone', async () => {
    await create({ schedule: '30 1 * * *', timeZone: 'Europe/Berlin' });
    await minutes(31);
    const [{ metadata }] = await cluster.list('batch/jobs');
    expect(metadata.name).toBe(job('2026-01-01T00:30Z'));
    expect(metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']).toBe('2026-01-01T01:30:00+01:00');
  });

  it.each([
    ['Allow', ['00:10', '00:20'], 2, undefined],
    [
      'Forbid',
      ['00:10'],
      1,
      'Normal JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
    ],
    ['Replace', ['00:20'], 1, `Normal SuccessfulDelete: Deleted job ${job('2026-01-01T00:10Z')}`],
  ])('does with a job that still runs as the policy %s says', async (concurrencyPolicy, times, active, event) => {
    await create({ concurrencyPolicy });
    await minutes(20);
    expect(await names()).toEqual(times.map((time) => job(`2026-01-01T${time}Z`)));
    expect(status()?.active).toHaveLength(active);
    if (event !== undefined) expect(await cluster.events('CronJob')).toContain(event);
  });

  it('keeps as many finished jobs as its limits say', async () => {
    await create({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    for (let count = 1; count <= 4; count++) {
      await minutes(10);
      await finish((await names()).at(-1) ?? '', count !== 4);
    }
    expect(await names()).toEqual([job('2026-01-01T00:30Z')]);
  });

  it('starts nothing while it is suspended, and then only the job that was due last', async () => {
    await create({ suspend: true });
    await minutes(35);
    expect(await names()).toEqual([]);
    await cronJobs.update('report', ({ spec }) => Object.assign(spec, { suspend: false }));
    await cluster.settle();
    expect(await names()).toEqual([job('2026-01-01T00:30Z')]);
    await minutes(5);
    expect(await names()).toHaveLength(2);
  });

  it('does not start a job after its deadline', async () => {
    await create({ suspend: true, startingDeadlineSeconds: 120 });
    await minutes(15);
    await cronJobs.update('report', ({ spec }) => Object.assign(spec, { suspend: false }));
    await cluster.settle();
    expect(await names()).toEqual([]);
    await minutes(5);
    expect(await names()).toEqual([job('2026-01-01T00:20Z')]);
  });

  it('warns if many times were missed', async () => {
    await create({ schedule: '* * * * *', suspend: true });
    cluster.clock.advance(102 * 60_000);
    await cronJobs.update('report', ({ spec }) => Object.assign(spec, { suspend: false }));
    await cluster.settle();
    expect(await names()).toEqual([job('2026-01-01T01:42Z')]);
    expect(await cluster.events('CronJob')).toContain(
      'Warning TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  });

  it('follows a schedule that changes', async () => {
    await create({ schedule: '0 0 * * *' });
    await cronJobs.update('report', ({ spec }) => Object.assign(spec, { schedule: '*/5 * * * *' }));
    await minutes(5);
    expect(await names()).toEqual([job('2026-01-01T00:05Z')]);
  });

  it('tells of active jobs that are gone, of those that it did not start, and of schedules that never come', async () => {
    const { metadata } = await create({ schedule: '@every 5m' });
    await minutes(5);
    const first = job('2026-01-01T00:05Z');
    await jobs.delete(first, { propagationPolicy: 'Background' });
    await cluster.settle();
    expect(status()?.active).toBeUndefined();
    const owner = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      name: 'report',
      uid: metadata.uid ?? '',
      controller: true,
    };
    await jobs.create({ metadata: { name: 'own', ownerReferences: [owner] }, spec: { template } });
    await cronJobs.create({ metadata: { name: 'never' }, spec: { schedule: '0 0 31 2 *', jobTemplate } });
    await cluster.settle();
    const events = await cluster.events('CronJob');
    expect(events).toContain(`Normal MissingJob: Active job went missing: ${first}`);
    expect(events).toContain('Warning UnexpectedJob: Saw a job that the controller did not create or forgot: own');
    expect(events).toContain(
      'Warning InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second',
    );
  });

  describe('beside it, the TTL of jobs', () => {
    it('deletes a job so many seconds after it has finished', async () => {
      const create = (name: string, ttlSecondsAfterFinished?: number) =>
        jobs.create({ metadata: { name }, spec: { template, ttlSecondsAfterFinished } });
      await create('short', 30);
      await create('long', 90);
      await create('kept');
      await create('running', 0);
      for (const name of ['short', 'long', 'kept']) await finish(name);
      const deleted = async () => (await cluster.list('batch/jobs')).filter(({ metadata }) => metadata.deletionTimestamp);
      await cluster.pass(29);
      expect(await deleted()).toEqual([]);
      await cluster.pass(1);
      expect(await deleted()).toEqual([
        expect.objectContaining({
          metadata: expect.objectContaining({ name: 'short', finalizers: ['foregroundDeletion'] }),
        }),
      ]);
      await jobs.update('long', ({ spec }) => Object.assign(spec, { ttlSecondsAfterFinished: 5 }));
      await cluster.settle();
      expect(await deleted()).toHaveLength(2);
    });
  });
});
