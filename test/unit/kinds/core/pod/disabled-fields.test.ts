import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestStores, type TestStores } from '../../../../support/resource-stores.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores.close());

const labels = { a: 'b' };
const template = (restartPolicy: string) => ({
  metadata: { labels },
  spec: {
    restartPolicy,
    containers: [{ name: 'c', image: 'i', lifecycle: { stopSignal: 'SIGTERM', preStop: { sleep: { seconds: 1 } } } }],
  },
});
const spec = { selector: { matchLabels: labels }, template: template('Always') };
const job = { template: template('Never') };

describe('a stop signal in the template, whose gate is off, is dropped on creation and on update', () => {
  test.each([
    ['podtemplates', { template: template('Always') }],
    ['replicationcontrollers', { spec: { selector: labels, template: template('Always') } }],
    ['apps/daemonsets', { spec }],
    ['apps/deployments', { spec }],
    ['apps/replicasets', { spec }],
    ['apps/statefulsets', { spec: { ...spec, serviceName: 's' } }],
    ['batch/jobs', { spec: job }],
    ['batch/cronjobs', { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } }],
  ])('%s', async (resource, object) => {
    const kind = await stores.of(resource);
    const made = await kind.create({ metadata: { name: 'x' }, ...object });
    expect(JSON.stringify(made)).toContain('"lifecycle":{"preStop":');
    const changed = await kind.update('x', (now) => {
      const { spec: podSpec } = now.template ?? now.spec.template ?? now.spec.jobTemplate.spec.template;
      podSpec.containers[0].lifecycle.stopSignal = 'SIGTERM';
    });
    for (const written of [made, changed]) expect(JSON.stringify(written)).not.toContain('stopSignal');
  });
});
