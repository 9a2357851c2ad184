import { expect, test } from '@jest/globals';
import { type LabelSelectorObject, labelSelectorFromObject } from '../../../../runtime/machinery/selectors/label-selector.ts';
import type { LabelGroup } from '../../../../runtime/simulation/scheduler/framework/label-group.ts';
import { NodeInfo } from '../../../../runtime/simulation/scheduler/framework/node-info.ts';
import { PodGroups } from '../../../../runtime/simulation/scheduler/framework/pod-groups.ts';
import { Random } from '../../../support/random.ts';

const selectors: LabelSelectorObject[] = [
  {},
  { matchLabels: { app: 'a' } },
  { matchLabels: { app: 'a', tier: 'x' } },
  { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] },
  { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] },
  { matchLabels: { app: 'nobody' } },
];

test.each([1, 2, 3])('groups count as many pods as looking at each of them (seed %i)', (seed) => {
  const random = new Random(seed);
  const nodes = ['n1', 'n2', 'n3'].map((name) => new NodeInfo(name));
  const labels: Record<string, string>[] = [{ app: 'a' }, { app: 'a', tier: 'x' }, { app: 'b' }, { app: 'b', tier: 'x' }];
  const all: LabelGroup[] = ['one', 'two'].flatMap((namespace) =>
    [false, true].flatMap((isTerminating) => labels.map((one) => ({ namespace, labels: one, isTerminating }))),
  );
  const groups = new PodGroups();
  const pods: { group: LabelGroup; node: NodeInfo }[] = [];
  for (let step = 0; step < 300; step++) {
    if (pods.length > 0 && random.chance(0.5)) {
      const [{ group, node }] = pods.splice(random.between(0, pods.length - 1), 1);
      groups.change(group, node, -1);
    } else {
      const pod = { group: random.pick(all), node: random.pick(nodes) };
      pods.push(pod);
      groups.change(pod.group, pod.node, 1);
    }
    const selector = labelSelectorFromObject(random.pick(selectors));
    const want = new Map<NodeInfo, number>();
    for (const { group, node } of pods) {
      if (group.namespace !== 'one' || group.isTerminating || !selector.matches(group.labels)) continue;
      want.set(node, (want.get(node) ?? 0) + 1);
    }
    expect(groups.count('one', selector)).toEqual(want);
  }
  for (const { group, node } of pods) groups.change(group, node, -1);
  expect([...groups.list()]).toEqual([]);
});
