import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { decodeYaml } from '../../../../runtime/codec/yaml.ts';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import { SimulatedKubelets } from '../../../../runtime/simulation/simulated-kubelets.ts';
import { nextStage, readStage } from '../../../../runtime/simulation/stages/stage.ts';
import { SimulatedCluster } from '../../../support/simulation.ts';
import type { TestObject } from '../../../support/test-object.ts';

/** Stages in KWOK's form, with the features that KWOK's own use. */
const files = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-start}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ["True"]}
  delay:
    durationMilliseconds: 1000
    durationFrom: {expressionFrom: '.metadata.annotations["example.com/delay"]'}
  next:
    event: {type: Normal, reason: Begun, message: It has begun}
    finalizers:
      add: [{value: example.com/stay}]
    statusTemplate: |
      {{ $now := Now }}
      conditions:
      - lastTransitionTime: {{ $now | Quote }}
        status: "True"
        type: Ready
      containerStatuses:
      {{ range $index, $item := .spec.containers }}
      - image: {{ $item.image | Quote }}
        name: {{ $item.name | Quote }}
        ready: true
        state:
          running:
            startedAt: {{ $now | Quote }}
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
      phase: Running
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-delete}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - cel: {expression: has(self.metadata.deletionTimestamp)}
  steps:
  - finalizers: {remove: [{value: example.com/stay}]}
  - delete: true
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: copy-config}
spec:
  resourceRef: {kind: ConfigMap}
  selector:
    matchLabels: {copied: please}
  steps:
  - apply:
      template: |
        apiVersion: v1
        kind: Secret
        metadata:
          name: {{ .metadata.name }}-copy
        stringData: {{ toJson .data }}
  - patch:
      root: metadata
      template: |
        labels: {copied: done}
  - patch:
      type: json
      template: |
        - {op: add, path: /data/more, value: {{ .data.a | Quote }}}
`;

describe('Stages', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });

  async function open(text: string): Promise<SimulatedCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'stages-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'stages.yaml'), text);
    const cluster = await SimulatedCluster.open((context) => [new SimulatedKubelets(context, { stages: [folder] })]);
    cleanups.unshift(() => cluster.close());
    return cluster;
  }
  const podOf = async (cluster: SimulatedCluster): Promise<TestObject | undefined> => (await cluster.list('pods'))[0];

  test('pods fare as the Stages of files want it, and not otherwise', async () => {
    const cluster = await open(files);
    const pods = await cluster.stores.of('pods');
    const annotations = { 'example.com/delay': '3s' };
    const spec = { nodeName: 'kubeloom-node-0', containers: [{ name: 'c', image: 'nginx' }] };
    await pods.create({ metadata: { name: 'web', annotations }, spec });
    await cluster.pass(2);
    expect((await podOf(cluster))?.status.phase).toBe('Pending');
    await cluster.pass(1);
    const { metadata, status } = (await podOf(cluster)) as TestObject;
    expect(metadata.finalizers).toEqual(['example.com/stay']);
    expect(status).toMatchObject({
      phase: 'Running',
      hostIP: '172.16.0.2',
      podIP: '10.128.0.2',
      qosClass: 'BestEffort',
    });
    expect(status.conditions).toEqual([{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-01T00:00:03Z' }]);
    expect(status.containerStatuses[0]).toMatchObject({ name: 'c', image: 'nginx', ready: true });
    expect(await cluster.events('Pod')).toEqual(['Normal Begun: It has begun']);
    await pods.delete('web');
    await cluster.settle();
    expect(await podOf(cluster)).toBeUndefined();
  });

  test('Stages of any kind apply other objects, and patch their own', async () => {
    const cluster = await open(files);
    const configMaps = await cluster.stores.of('configmaps');
    await configMaps.create({ metadata: { name: 'config', labels: { copied: 'please' } }, data: { a: '1' } });
    await cluster.settle();
    expect(configMaps.get('config')).toMatchObject({
      metadata: { labels: { copied: 'done' } },
      data: { a: '1', more: '1' },
    });
    const [secret] = await cluster.list('secrets');
    expect([secret.metadata.name, secret.data]).toEqual(['config-copy', { a: Buffer.from('1').toString('base64') }]);
  });

  test('a Stage that fails is told once', async () => {
    const cluster = await open(`
kind: Stage
metadata: {name: bad}
spec:
  resourceRef: {kind: ConfigMap}
  selector: {matchLabels: {bad: "yes"}}
  next: {statusTemplate: '{{ fail "broken" }}'}
`);
    await (await cluster.stores.of('configmaps')).create({ metadata: { name: 'config', labels: { bad: 'yes' } } });
    await cluster.pass(30);
    const message = 'Stage "bad" failed: template: :1: executing: error calling fail: broken';
    expect(await cluster.events('ConfigMap')).toEqual([`Warning StageFailed: ${message}`]);
  });

  const stageOf = (spec: string) => readStage({ metadata: { name: 's' }, spec: decodeYaml(Buffer.from(spec)) } as unknown as KubeObject);
  const ref = 'resourceRef: {kind: Pod}\n';

  test.each([
    ['a: 1', 'spec.resourceRef: Required value'],
    ['resourceRef: {}', 'spec.resourceRef.kind: Required value'],
    [`${ref}selector: {matchExpressions: [{key: ., operator: Near}]}`, 'operator "Near" is not supported'],
    [`${ref}selector: {matchExpressions: [{key: ., operator: In}]}`, "values set can't be empty"],
    [`${ref}selector: {matchExpressions: [{key: .a |, operator: Exists}]}`, 'unexpected end of query'],
    [`${ref}selector: {matchExpressions: [{cel: {expression: 1 +}}]}`, 'compilation failed: ERROR'],
    [`${ref}next: {statusTemplate: "{{ if }}"}`, 'template: :1: missing value for command'],
    [`${ref}steps: [{patch: {type: odd, template: a}}]`, 'unknown patch type odd'],
    [`${ref}steps: [{patch: {subresource: scale, template: a}}]`, '"scale" is not supported'],
    [`${ref}steps: [{event: {type: Odd}}]`, 'event.type: must be Normal or Warning'],
    [`${ref}weight: heavy`, 'spec.weight: must be a number'],
  ])('%j is refused', (spec, message) => {
    expect(() => stageOf(spec)).toThrow(message);
    expect(() => stageOf(spec)).toThrow('Stage "s" is invalid: ');
  });

  test.each([
    [['1', '3'], 0.2, 0],
    [['1', '3'], 0.3, 1],
    [['0', '3'], 0, 1],
    [['0', '0'], 0.9, 1],
    [['x', '0'], 0.1, 1],
  ])('of Stages with the weights %j, %f chooses number %i', (weights, random, want) => {
    const object = { metadata: { annotations: { w0: weights[0], w1: weights[1] } } } as unknown as KubeObject;
    const stages = [0, 1].map((index) => stageOf(`${ref}selector: {}\nweightFrom: {expressionFrom: '.metadata.annotations["w${index}"]'}`));
    expect(stages.indexOf(nextStage(stages, object, () => random) as (typeof stages)[0])).toBe(want);
  });

  test.each([
    ['{durationMilliseconds: 1000}', 1000, 1000],
    ['{durationFrom: {expressionFrom: .metadata.annotations.d}}', 90_000, 90_000],
    ['{durationFrom: {expressionFrom: .metadata.annotations.t}}', 5000, 5000],
    ['{durationMilliseconds: 7, durationFrom: {expressionFrom: .metadata.annotations.none}}', 7, 7],
    ['{durationMilliseconds: 1000, jitterDurationMilliseconds: 2000}', 1000, 2000],
    ['{durationMilliseconds: 1000, jitterDurationMilliseconds: 500}', 500, 500],
  ])('the delay %s is between %i and %i ms', (delay, least, most) => {
    const object = { metadata: { annotations: { d: '1m30s', t: '1970-01-01T00:00:06Z' } } } as unknown as KubeObject;
    const found = stageOf(`${ref}delay: ${delay}`).delay(object, 1000);
    expect(found).toBeGreaterThanOrEqual(least);
    expect(found).toBeLessThanOrEqual(most);
  });
});
