import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jobController } from '../../../../runtime/controllers/job/job-controller.ts';
import type { TestResource } from '../../../support/resource-stores.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

const containers = [{ name: 'main', image: 'busybox' }];
const index = 'batch.kubernetes.io/job-completion-index';

describe('the job controller', () => {
  let cluster: SimulatedCluster;
  let jobs: TestResource;

  beforeEach(async () => {
    cluster = await SimulatedCluster.open((context) => [jobController(context)]);
    jobs = await cluster.stores.of('batch/jobs');
  });

  afterEach(() => cluster.close());

  /** Creates a job and lets it settle. */
  async function create(spec: object, template: object = {}): Promise<void> {
    const pod = { restartPolicy: 'Never', containers, ...template };
    await jobs.create({ metadata: { name: 'pi' }, spec: { ...spec, template: { spec: pod } } });
    await cluster.settle();
  }

  const job = () => jobs.get('pi') as TestObject;
  const status = () => job().status;
  const pods = () => cluster.list('pods');
  const running = async () => (await pods()).filter((pod) => !/Succeeded|Failed/.test(pod.status.phase) && !pod.metadata.deletionTimestamp);
  const indexOf = ({ metadata }: TestObject) => Number(metadata.annotations?.[index]);
  const conditions = () => (status().conditions ?? []).map((one: TestObject) => `${one.type}=${one.status} ${one.reason}`);

  async function finish(pod: TestObject, options?: { exitCode?: number; conditions?: object[] }): Promise<void> {
    await cluster.finish(pod.metadata.name ?? '', options);
    await cluster.settle();
  }

  async function finishAll(exitCode = 0): Promise<void> {
    for (const pod of await running()) await cluster.finish(pod.metadata.name ?? '', { exitCode });
    await cluster.settle();
  }

  async function ofIndex(wanted: number): Promise<TestObject> {
    const pod = (await running()).find((one) => indexOf(one) === wanted);
    if (pod === undefined) throw new Error(`no pod runs with index ${wanted}`);
    return pod;
  }

  it('runs pods until enough have succeeded, and counts them', async () => {
    await create({ completions: 3, parallelism: 2 });
    const created = await pods();
    expect(created).toHaveLength(2);
    const { uid } = job().metadata;
    expect(created[0].metadata).toMatchObject({
      name: expect.stringMatching(/^pi-[a-z0-9]{5}$/),
      labels: { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': 'pi', 'job-name': 'pi' },
      finalizers: ['batch.kubernetes.io/job-tracking'],
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'pi', uid, controller: true }],
    });
    expect(status()).toEqual({
      active: 2,
      ready: 0,
      terminating: 0,
      startTime: '2026-01-01T00:00:00Z',
      uncountedTerminatedPods: {},
    });
    await cluster.run(created[0].metadata.name ?? '');
    await cluster.settle();
    expect(status()).toMatchObject({ active: 2, ready: 1 });
    await finish(created[0]);
    expect(status()).toMatchObject({ active: 2, succeeded: 1 });
    cluster.clock.advance(5000);
    await finishAll();
    expect(status()).toEqual({
      conditions: [
        expect.objectContaining({
          type: 'SuccessCriteriaMet',
          status: 'True',
          reason: 'CompletionsReached',
          message: 'Reached expected number of succeeded pods',
          lastTransitionTime: '2026-01-01T00:00:05Z',
        }),
        expect.objectContaining({ type: 'Complete', status: 'True', reason: 'CompletionsReached' }),
      ],
      startTime: '2026-01-01T00:00:00Z',
      completionTime: '2026-01-01T00:00:05Z',
      succeeded: 3,
      ready: 0,
      terminating: 0,
      uncountedTerminatedPods: {},
    });
    expect((await pods()).map(({ metadata }) => metadata.finalizers)).toEqual([undefined, undefined, undefined]);
    const events = await cluster.events('Job');
    expect(events.filter((event) => /^Normal SuccessfulCreate: Created pod: pi-/.test(event))).toHaveLength(3);
    expect(events).toContain('Normal Completed: Job completed');
  });

  it('is complete once a pod has succeeded and none runs, if it has no number of completions', async () => {
    await create({ parallelism: 2 });
    const [first, second] = await pods();
    await finish(first);
    expect([status().active, conditions()]).toEqual([1, []]);
    await finish(second, { exitCode: 1 });
    expect(status()).toMatchObject({ succeeded: 1, failed: 1 });
    expect(conditions()).toEqual(['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached']);
  });

  it('replaces failed pods after a time that doubles, until the backoff limit is reached', async () => {
    await create({ backoffLimit: 2 });
    for (const backoff of [10, 20]) {
      await finishAll(1);
      await cluster.pass(backoff - 1);
      expect(await running()).toHaveLength(0);
      await cluster.pass(1);
      expect(await running()).toHaveLength(1);
    }
    await finishAll(1);
    expect(conditions()).toEqual(['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded']);
    expect(status()).toMatchObject({ failed: 3 });
    expect(status().active ?? 0).toBe(0);
    expect(await cluster.events('Job')).toContain('Warning BackoffLimitExceeded: Job has reached the specified backoff limit');
  });

  it('counts the pods that run while others wait to be replaced', async () => {
    await create({ completions: 2, parallelism: 2 });
    const [first, second] = await pods();
    await cluster.run(second.metadata.name ?? '');
    await finish(first, { exitCode: 1 });
    expect(status()).toMatchObject({ active: 1, ready: 1, failed: 1 });
    await finish(second);
    expect(status()).toMatchObject({ succeeded: 1, failed: 1 });
  });

  it('fails when it has been active for too long, and deletes its pods', async () => {
    await create({ parallelism: 2, completions: 2, activeDeadlineSeconds: 30 });
    await cluster.pass(29);
    expect(conditions()).toEqual([]);
    await cluster.pass(1);
    expect(conditions()).toEqual(['FailureTarget=True DeadlineExceeded', 'Failed=True DeadlineExceeded']);
    expect(await pods()).toEqual([]);
    expect(status()).toMatchObject({ failed: 2, terminating: 0 });
    expect(status().completionTime).toBeUndefined();
  });

  it('fails when containers that are restarted in place have been so too often', async () => {
    await create({ backoffLimit: 2 }, { restartPolicy: 'OnFailure' });
    const [pod] = await pods();
    const resource = await cluster.stores.of('pods');
    const restarted = { name: 'main', image: 'busybox', imageID: '', ready: false, restartCount: 2, state: {} };
    await resource.update(
      pod.metadata.name ?? '',
      (one) => Object.assign(one.status, { phase: 'Running', containerStatuses: [restarted] }),
      { part: 'status' },
    );
    await cluster.settle();
    expect(conditions()).toContain('Failed=True BackoffLimitExceeded');
  });

  it('deletes its pods when it is suspended, and starts again when it is resumed', async () => {
    await create({ completions: 2, parallelism: 2, suspend: true });
    expect([await pods(), status().startTime, conditions()]).toEqual([[], undefined, ['Suspended=True JobSuspended']]);
    const suspend = async (value: boolean) => {
      await jobs.update('pi', ({ spec }) => Object.assign(spec, { suspend: value }));
      await cluster.settle();
    };
    cluster.clock.advance(60_000);
    await suspend(false);
    expect([(await running()).length, status().startTime]).toEqual([2, '2026-01-01T00:01:00Z']);
    expect(conditions()).toEqual(['Suspended=False JobResumed']);
    await suspend(true);
    expect([await pods(), status().failed ?? 0, status().active ?? 0]).toEqual([[], 0, 0]);
    const events = await cluster.events('Job');
    expect(events.filter((event) => /Suspended|Resumed/.test(event)).sort()).toEqual([
      'Normal Resumed: Job resumed',
      'Normal Suspended: Job suspended',
    ]);
  });

  it('keeps as many pods as its parallelism says after it is changed', async () => {
    await create({ completions: 10, parallelism: 4 });
    for (const parallelism of [1, 3, 0]) {
      await jobs.update('pi', ({ spec }) => Object.assign(spec, { parallelism }));
      await cluster.settle();
      expect([(await pods()).length, status().active ?? 0, status().failed ?? 0]).toEqual([parallelism, parallelism, 0]);
    }
  });

  it('adopts pods that match, and releases those that match no longer', async () => {
    await create({ completions: 2, parallelism: 2, backoffLimit: 0 });
    const [pod] = await pods();
    const resource = await cluster.stores.of('pods');
    await resource.update(pod.metadata.name ?? '', ({ metadata }) => Object.assign(metadata, { labels: { own: 'yes' } }));
    await cluster.settle();
    const released = resource.get(pod.metadata.name ?? '');
    expect([released?.metadata.ownerReferences, released?.metadata.finalizers]).toEqual([undefined, undefined]);
    expect(await pods()).toHaveLength(3);
    const { labels } = (await pods()).find(({ metadata }) => metadata.labels?.['job-name'])?.metadata ?? {};
    await resource.create({ metadata: { name: 'orphan', labels }, spec: { restartPolicy: 'Never', containers } });
    await cluster.settle();
    const names = (await pods()).filter(({ metadata }) => metadata.ownerReferences).length;
    expect(names).toBe(2);
  });

  it('tries again, at least once a minute, while its pods cannot be created', async () => {
    cluster.refuse = ({ definition }) => definition.kind === 'Pod' && 'no room';
    await create({});
    await cluster.pass(5);
    const refused = /^Warning FailedCreate: Error creating: pods "pi-[a-z0-9]{5}" is forbidden: no room$/;
    expect((await cluster.events('Job'))[0]).toMatch(refused);
    for (let minute = 0; minute < 20; minute++) {
      cluster.clock.advance(60_000);
      await cluster.settle();
    }
    cluster.refuse = undefined;
    await cluster.pass(60);
    expect(await running()).toHaveLength(1);
  });

  it('leaves alone what somebody else manages', async () => {
    await create({ managedBy: 'example.com/other' });
    expect([await pods(), status()]).toEqual([[], {}]);
  });

  it('removes the finalizers of pods whose job is gone', async () => {
    await create({ completions: 1 });
    await jobs.delete('pi', { propagationPolicy: 'Orphan' });
    await jobs.update('pi', ({ metadata }) => Object.assign(metadata, { finalizers: [] }));
    const resource = await cluster.stores.of('pods');
    const [{ metadata }] = await pods();
    await resource.delete(metadata.name ?? '');
    await cluster.settle();
    expect(await pods()).toEqual([]);
  });

  describe('of indexed jobs', () => {
    const indexed = { completionMode: 'Indexed', completions: 4, parallelism: 4 };

    it('gives each pod its index as annotation, label, environment and host name', async () => {
      await create(indexed);
      expect((await pods()).map(indexOf)).toEqual([0, 1, 2, 3]);
      const [, { metadata, spec }] = await pods();
      expect(metadata).toMatchObject({
        name: expect.stringMatching(/^pi-1-[a-z0-9]{5}$/),
        labels: { [index]: '1' },
        annotations: { [index]: '1' },
      });
      expect(spec.hostname).toBe('pi-1');
      expect(spec.containers[0].env).toEqual([
        {
          name: 'JOB_COMPLETION_INDEX',
          valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${index}']` } },
        },
      ]);
    });

    it('tells which indexes are complete, and replaces failed pods by others of their index', async () => {
      await create(indexed);
      await finish(await ofIndex(1));
      await finish(await ofIndex(3));
      expect(status()).toMatchObject({ completedIndexes: '1,3', succeeded: 2, active: 2 });
      await finish(await ofIndex(0), { exitCode: 1 });
      await cluster.pass(10);
      expect((await running()).map(indexOf)).toEqual([0, 2]);
      await finishAll();
      expect(status()).toMatchObject({ completedIndexes: '0-3', succeeded: 4, failed: 1 });
      expect(conditions()).toContain('Complete=True CompletionsReached');
    });

    it('has a backoff limit of each index', async () => {
      await create({ ...indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 1 });
      const failures = 'batch.kubernetes.io/job-index-failure-count';
      expect((await ofIndex(0)).metadata.annotations?.[failures]).toBe('0');
      await finish(await ofIndex(0), { exitCode: 1 });
      await finish(await ofIndex(1));
      await cluster.pass(10);
      expect((await ofIndex(0)).metadata.annotations?.[failures]).toBe('1');
      await finish(await ofIndex(0), { exitCode: 1 });
      expect(status()).toMatchObject({ failedIndexes: '0', completedIndexes: '1', succeeded: 1, failed: 2 });
      expect(conditions()).toEqual(['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
    });

    it('fails with more failed indexes than it allows', async () => {
      await create({ ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
      await finish(await ofIndex(2), { exitCode: 1 });
      expect([status().failedIndexes, conditions()]).toEqual(['2', []]);
      await finish(await ofIndex(0), { exitCode: 1 });
      expect(conditions()).toEqual(['FailureTarget=True MaxFailedIndexesExceeded', 'Failed=True MaxFailedIndexesExceeded']);
      expect(await running()).toEqual([]);
    });

    it('succeeds when its success policy is met, and deletes the pods that still run', async () => {
      await create({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] } });
      await finish(await ofIndex(0));
      expect(conditions()).toEqual([]);
      await finish(await ofIndex(2));
      expect(conditions()).toEqual(['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy']);
      expect(status().conditions[1].message).toBe('Matched rules at index 0');
      expect([await running(), status().completedIndexes, status().failed ?? 0]).toEqual([[], '0,2', 0]);
    });

    it('deletes the pods whose index is not wanted any more, and counts those that are', async () => {
      await create(indexed);
      await finish(await ofIndex(3));
      await jobs.update('pi', ({ spec }) => Object.assign(spec, { completions: 2, parallelism: 2 }));
      await cluster.settle();
      expect((await running()).map(indexOf)).toEqual([0, 1]);
      expect([status().succeeded ?? 0, status().completedIndexes ?? '']).toEqual([0, '']);
    });
  });

  describe('of jobs with a pod failure policy', () => {
    const onExitCodes = (values: number[]) => ({ onExitCodes: { operator: 'In', values } });
    const target = { type: 'DisruptionTarget', status: 'True' };

    it('fails at once, or does not count a failure, as the first matching rule says', async () => {
      const rules = [
        { action: 'FailJob', ...onExitCodes([42]) },
        { action: 'Ignore', onPodConditions: [target] },
        { action: 'Count', ...onExitCodes([1]) },
      ];
      await create({ backoffLimit: 1, podFailurePolicy: { rules } });
      const [first] = await pods();
      await finish(first, { exitCode: 137, conditions: [target] });
      expect([status().failed ?? 0, conditions()]).toEqual([0, []]);
      await cluster.pass(10);
      await finishAll(1);
      expect(status().failed).toBe(1);
      await cluster.pass(20);
      const [last] = await running();
      await finish(last, { exitCode: 42 });
      expect(conditions()).toEqual(['FailureTarget=True PodFailurePolicy', 'Failed=True PodFailurePolicy']);
      expect(status().conditions[0].message).toBe(
        `Container main for pod default/${last.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
      );
    });

    it('fails an index whatever its limit is', async () => {
      const rules = [{ action: 'FailIndex', ...onExitCodes([3]) }];
      const limits = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 5 };
      await create({ ...limits, podFailurePolicy: { rules } });
      await finish(await ofIndex(1), { exitCode: 3 });
      expect(status()).toMatchObject({ failedIndexes: '1', failed: 1, active: 1 });
    });
  });

  it.each([
    ['TerminatingOrFailed', 1],
    ['Failed', 0],
  ])('replaces pods that terminate as the replacement policy %s says', async (podReplacementPolicy, replaced) => {
    await create({ podReplacementPolicy, backoffLimit: 3 });
    const [{ metadata }] = await pods();
    const resource = await cluster.stores.of('pods');
    await resource.update(metadata.name ?? '', (pod) => void pod.metadata.finalizers?.push('example.com/keep'));
    await resource.delete(metadata.name ?? '');
    await cluster.pass(11);
    expect(status()).toMatchObject({ terminating: 1 });
    expect([(await running()).length, status().failed ?? 0]).toEqual([replaced, replaced]);
    await resource.update(metadata.name ?? '', ({ status }) => Object.assign(status, { phase: 'Failed' }), {
      part: 'status',
    });
    await cluster.pass(11);
    expect([(await running()).length, status().failed, status().terminating]).toEqual([1, 1, 0]);
  });
});
