import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cronJobController } from '../../../runtime/controllers/cronjob/cron-job-controller.ts';
import { jobController } from '../../../runtime/controllers/job/job-controller.ts';
import type { TestResource } from '../../support/resource-stores.ts';
import { SimulatedCluster } from '../../support/simulation.ts';
import type { TestObject } from '../../support/test-object.ts';

/**
 * Upstream's conformance tests of jobs that take minutes, with their titles, on a manual clock. (test/e2e/apps/job.go
 * and cronjob.go)
 */
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i:1' }] } };
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const minute = 60;
/** The maximum delay before the replacement of a pod after its first failure. */
const backoff = 10;

let cluster: SimulatedCluster;
let jobs: TestResource;

beforeEach(async () => {
  cluster = await SimulatedCluster.open((context) => [jobController(context), cronJobController(context)]);
  jobs = await cluster.stores.of('batch/jobs');
});

afterEach(() => cluster.close());

const activeJobs = async (): Promise<TestObject[]> =>
  (await cluster.list('batch/jobs')).filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.active);

describe('Job', () => {
  const job = () => jobs.get('job') as TestObject;
  const last = () => job().status.conditions?.at(-1);
  const running = async () => (await cluster.list('pods')).filter((pod) => pod.status.phase === 'Pending');

  async function create(spec: object): Promise<void> {
    await jobs.create({ metadata: { name: 'job' }, spec: { ...spec, template } });
    await cluster.settle();
  }

  test('should allow to use a pod failure policy to ignore failure matching on DisruptionTarget condition', async () => {
    const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }];
    const podFailurePolicy = { rules: [{ action: 'Ignore', onPodConditions }] };
    await create({ completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimit: 0, podFailurePolicy });
    for (const { metadata } of await running()) await cluster.finish(metadata.name ?? '', { exitCode: 137, conditions: onPodConditions });
    await cluster.pass(2 * backoff);
    for (const { metadata } of await running()) await cluster.finish(metadata.name ?? '');
    await cluster.settle();
    expect([last().type, job().status.failed, job().status.succeeded]).toEqual(['Complete', undefined, 2]);
  });

  test('should execute all indexes despite some failing when using backoffLimitPerIndex', async () => {
    await create({ completionMode: 'Indexed', completions: 4, parallelism: 2, backoffLimitPerIndex: 1 });
    for (let times = 0; times < 10 && last() === undefined; times++) {
      for (const { metadata } of await running())
        await cluster.finish(metadata.name ?? '', { exitCode: Number(metadata.annotations?.[indexAnnotation]) % 2 });
      await cluster.pass(backoff);
    }
    expect([last().type, last().reason]).toEqual(['Failed', 'FailedIndexes']);
    expect(job().status).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1,3', succeeded: 2, failed: 4 });
  });
});

describe('CronJob', () => {
  async function create(spec: object): Promise<void> {
    const cronJobs = await cluster.stores.of('batch/cronjobs');
    const given = { schedule: '*/1 * * * ?', jobTemplate: { spec: { template } }, ...spec };
    await cronJobs.create({ metadata: { name: 'cronjob' }, spec: given });
    await cluster.pass(minute + 1);
  }

  const active = async () => (await cluster.list('batch/cronjobs'))[0].status.active ?? [];

  test('should schedule multiple jobs concurrently', async () => {
    await create({ concurrencyPolicy: 'Allow' });
    await cluster.pass(minute);
    expect([await active(), await activeJobs()].map(({ length }) => length)).toEqual([2, 2]);
  });

  test('should not schedule jobs when suspended', async () => {
    await create({ suspend: true });
    await cluster.pass(5 * minute);
    expect([await active(), await cluster.list('batch/jobs')]).toEqual([[], []]);
  });

  test('should not schedule new jobs when ForbidConcurrent', async () => {
    await create({ concurrencyPolicy: 'Forbid' });
    const [first] = await active();
    await cluster.pass(2 * minute);
    expect(await active()).toEqual([first]);
    expect((await activeJobs()).map(({ metadata }) => metadata.uid)).toEqual([first.uid]);
  });

  test('should replace jobs when ReplaceConcurrent', async () => {
    await create({ concurrencyPolicy: 'Replace' });
    const [first] = await active();
    await cluster.pass(minute);
    const [second] = await active();
    expect(second.name).not.toBe(first.name);
    expect((await activeJobs()).map(({ metadata }) => metadata.uid)).toEqual([second.uid]);
  });
});
