import { describe, expect, test } from '@jest/globals';
import { type Any, conditionOf, WorkloadServer } from './workload-server.ts';

/**
 * Upstream's conformance tests of jobs, with their titles. Tests that wait for failed pods' replacement are in
 * job-clock.test.ts. (test/e2e/apps/job.go)
 */
const server = new WorkloadServer();

const jobs = 'apis/batch/v1/jobs';
const pods = 'api/v1/pods';
const containers = [{ name: 'c', image: 'i:1' }];
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

const make = (name: string, spec: object, template: object = {}, metadata: object = {}) => ({
  metadata: { name },
  spec: { ...spec, template: { metadata, spec: { restartPolicy: 'Never', containers, ...template } } },
});
/** No kubelet runs the pods: the tests set their status. */
const nowhere = { nodeSelector: { 'kubernetes.io/hostname': 'nowhere' } };
/** The simulated kubelet keeps the containers running. */
const forever = { annotations: { 'simulation.kubeloom.dev/run-for': 'forever' } };
const briefly = { annotations: { 'simulation.kubeloom.dev/run-for': '10ms' } };
const isTrue = (job: Any, type: string): boolean => conditionOf(job, type)?.status === 'True';
const isRunning = ({ status }: Any): boolean => status?.phase === 'Running';
const indexed = (completions: number, more: object = {}) => ({
  completionMode: 'Indexed',
  completions,
  parallelism: completions,
  ...more,
});

describe('Job', () => {
  /** Ends the pod of an index, like a kubelet. */
  async function finish(path: (resource: string, name?: string) => string, index: number, exitCode = 0): Promise<void> {
    const isWanted = (pod: Any) => pod.metadata.annotations?.[indexAnnotation] === `${index}`;
    const all = await server.untilAll(path(pods), (some) => some.some(isWanted));
    const { name } = all.find(isWanted).metadata;
    const terminated = { exitCode, startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:01Z' };
    const container = { name: 'c', image: 'i:1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    await server.patch(`${path(pods, name)}/status`, { status: { phase, containerStatuses: [container] } });
  }

  test('should create pods for an Indexed job with completion indexes and specified hostname', async () => {
    const path = await server.namespace();
    await server.post(path(jobs), make('indexed', indexed(3, { parallelism: 2 }), {}, briefly));
    const job = await server.until(path(jobs, 'indexed'), (one) => isTrue(one, 'Complete'));
    expect(job.status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    const { items } = await server.get(path(pods));
    const seen = items.map(({ metadata, spec }: Any) => [metadata.annotations[indexAnnotation], spec.hostname]);
    expect(seen.sort()).toEqual([0, 1, 2].map((index) => [`${index}`, `indexed-${index}`]));
  });

  test('should run a job to completion when tasks sometimes fail and are locally restarted', async () => {
    const path = await server.namespace();
    const spec = make('restarted', indexed(1), { restartPolicy: 'OnFailure', ...nowhere });
    await server.post(path(jobs), spec);
    const [{ metadata }] = await server.untilAll(path(pods), ({ length }) => length === 1);
    const container = { name: 'c', image: 'i:1', imageID: '', ready: false, restartCount: 1, state: {} };
    await server.patch(`${path(pods, metadata.name)}/status`, {
      status: { phase: 'Running', containerStatuses: [container] },
    });
    await finish(path, 0);
    const job = await server.until(path(jobs, 'restarted'), (one) => isTrue(one, 'Complete'));
    expect([job.status.succeeded, job.status.failed]).toEqual([1, undefined]);
  });

  test('should delete a job', async () => {
    const path = await server.namespace();
    await server.post(path(jobs), make('deleted', { parallelism: 2, completions: 4 }, {}, forever));
    await server.untilAll(path(pods), (all) => all.filter(isRunning).length === 2);
    await server.delete(path(jobs, 'deleted'), { propagationPolicy: 'Foreground' });
    await server.until(path(jobs, 'deleted'), (one) => one === undefined);
    expect((await server.get(path(pods))).items).toEqual([]);
  });

  test('should adopt matching orphans and release non-matching pods', async () => {
    const path = await server.namespace();
    const { metadata } = await server.post(path(jobs), make('adopt', { parallelism: 2, completions: 4 }, {}, forever));
    const [{ metadata: pod }] = await server.untilAll(path(pods), (all) => all.filter(isRunning).length === 2);
    await server.patch(path(pods, pod.name), { metadata: { ownerReferences: null } });
    const isOwned = (one: Any): boolean => one.metadata.ownerReferences?.[0].uid === metadata.uid;
    await server.until(path(pods, pod.name), isOwned);
    await server.patch(path(pods, pod.name), { metadata: { labels: null } });
    const released = await server.until(path(pods, pod.name), (one) => !one.metadata.ownerReferences);
    expect(released.metadata.finalizers).toBeUndefined();
    await server.untilAll(path(pods), (all) => all.filter(isOwned).length === 2);
  });

  test('should apply changes to a job status', async () => {
    const path = await server.namespace();
    const at = path(jobs, 'changed');
    const { metadata } = await server.post(path(jobs), make('changed', { parallelism: 2, completions: 4 }, {}, forever));
    await server.untilAll(path(pods), (all) => all.filter(isRunning).length === 2);
    await server.until(at, ({ status }) => status.ready === 2);
    const condition = { type: 'CustomConditionType', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const annotations = { patchedstatus: 'true' };
    const patched = await server.patch(`${at}/status`, {
      metadata: { annotations },
      status: { conditions: [condition] },
    });
    expect(conditionOf(patched, 'CustomConditionType')).toMatchObject(condition);
    expect(patched.metadata.annotations).toMatchObject(annotations);
    conditionOf(patched, 'CustomConditionType').lastTransitionTime = '2026-01-02T00:00:00Z';
    const updated = await server.put(`${at}/status`, patched);
    expect(conditionOf(updated, 'CustomConditionType').lastTransitionTime).toBe('2026-01-02T00:00:00Z');
    expect((await server.get(`${at}/status`)).metadata.uid).toBe(metadata.uid);
  });

  test('should manage the lifecycle of a job', async () => {
    const path = await server.namespace();
    const at = path(jobs, 'lifecycle');
    const job = make('lifecycle', { parallelism: 2, completions: 4, suspend: true }, {}, briefly);
    await server.post(path(jobs), {
      ...job,
      metadata: { name: 'lifecycle', labels: { 'e2e-job-label': 'lifecycle' } },
    });
    await server.patch(at, { metadata: { labels: { lifecycle: 'patched' } } });
    const suspended = await server.until(at, (one) => isTrue(one, 'Suspended'));
    expect(suspended.metadata.labels.lifecycle).toBe('patched');
    const { metadata, spec } = suspended;
    const annotations = { updated: 'true' };
    await server.put(at, { ...suspended, metadata: { ...metadata, annotations }, spec: { ...spec, suspend: false } });
    const complete = await server.until(at, (one) => isTrue(one, 'Complete'));
    expect([complete.status.succeeded, complete.metadata.annotations.updated]).toEqual([4, 'true']);
    const query = '?labelSelector=e2e-job-label%3Dlifecycle';
    expect((await server.get(`/apis/batch/v1/jobs${query}`)).items).toHaveLength(1);
    await server.delete(path(jobs) + query, { propagationPolicy: 'Background' });
    await server.until(at, (one) => one === undefined);
  });

  test('should allow to use the pod failure policy on exit code to fail the job early', async () => {
    const path = await server.namespace();
    const rules = [{ action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1] } }];
    await server.post(path(jobs), make('early', indexed(2, { podFailurePolicy: { rules } }), nowhere));
    await finish(path, 0, 1);
    const job = await server.until(path(jobs, 'early'), (one) => isTrue(one, 'Failed'));
    expect(conditionOf(job, 'Failed').reason).toBe('PodFailurePolicy');
  });

  test('should mark indexes as failed when the FailIndex action is matched in podFailurePolicy', async () => {
    const path = await server.namespace();
    const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } }];
    const spec = indexed(2, { backoffLimitPerIndex: 1, podFailurePolicy: { rules } });
    await server.post(path(jobs), make('index', spec, nowhere));
    await finish(path, 1, 42);
    await finish(path, 0);
    const job = await server.until(path(jobs, 'index'), (one) => isTrue(one, 'Failed'));
    expect(conditionOf(job, 'Failed').reason).toBe('FailedIndexes');
    expect(job.status).toMatchObject({ failedIndexes: '1', completedIndexes: '0', failed: 1, succeeded: 1 });
  });

  test('should terminate job execution when the number of failed indexes exceeds maxFailedIndexes', async () => {
    const path = await server.namespace();
    const spec = indexed(6, { parallelism: 2, backoffLimitPerIndex: 0, maxFailedIndexes: 0 });
    await server.post(path(jobs), make('most', spec, nowhere));
    await finish(path, 0, 1);
    const job = await server.until(path(jobs, 'most'), (one) => isTrue(one, 'Failed'));
    expect(conditionOf(job, 'Failed').reason).toBe('MaxFailedIndexesExceeded');
    expect(job.status.failedIndexes).toBe('0');
  });

  test.each([
    {
      title: 'with successPolicy should succeeded when all indexes succeeded',
      rule: { succeededIndexes: '0,1' },
      all: true,
    },
    {
      title: 'with successPolicy succeededIndexes rule should succeeded even when some indexes remain pending',
      rule: { succeededIndexes: '0' },
      all: false,
    },
    {
      title: 'with successPolicy succeededCount rule should succeeded even when some indexes remain pending',
      rule: { succeededCount: 1 },
      all: false,
    },
  ])('$title', async ({ rule, all }) => {
    const path = await server.namespace();
    await server.post(path(jobs), make('policy', indexed(2, { successPolicy: { rules: [rule] } }), nowhere));
    await finish(path, 0);
    if (all) await finish(path, 1);
    const job = await server.until(path(jobs, 'policy'), (one) => isTrue(one, 'Complete'));
    expect(['SuccessCriteriaMet', 'Complete'].map((type) => conditionOf(job, type).reason)).toEqual(['SuccessPolicy', 'SuccessPolicy']);
    expect(job.status.completedIndexes).toBe(all ? '0,1' : '0');
  });
});
