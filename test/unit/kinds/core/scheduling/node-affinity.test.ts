import { describe, expect, test } from '@jest/globals';
import type { Node, NodeSelectorTerm, Pod } from '../../../../../generated/v1.35/core/v1/types.ts';
import { preferredSchedulingScore, requiredNodeAffinity } from '../../../../../runtime/kinds/core/scheduling/node-affinity.ts';

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', labels: { zone: 'a', cores: '16', odd: 'x' } },
};
const expression = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }],
});
const field = (operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator, values }],
});

function podWith(terms: NodeSelectorTerm[] | undefined, nodeSelector?: Record<string, string>): Pod {
  const required = terms && { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const spec = { containers: [], nodeSelector, affinity: { nodeAffinity: required } };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
}

describe('a node is wanted by a pod', () => {
  test.each<[string, boolean, Pod]>([
    ['that wants nothing', true, podWith(undefined)],
    ['by its selector', true, podWith(undefined, { zone: 'a' })],
    ['not by another selector', false, podWith(undefined, { zone: 'b' })],
    ['not by the selector of a label that it lacks', false, podWith(undefined, { toString: 'b' })],
    ['by In', true, podWith([expression('zone', 'In', 'b', 'a')])],
    ['not by NotIn', false, podWith([expression('zone', 'NotIn', 'a')])],
    ['by NotIn of a label that it lacks', true, podWith([expression('rack', 'NotIn', 'a')])],
    ['by Exists', true, podWith([expression('zone', 'Exists')])],
    ['not by DoesNotExist', false, podWith([expression('zone', 'DoesNotExist')])],
    ['by Gt', true, podWith([expression('cores', 'Gt', '8')])],
    ['not by Lt', false, podWith([expression('cores', 'Lt', '8')])],
    ['not by Gt of a label that is no number', false, podWith([expression('odd', 'Gt', '8')])],
    ['not by a bound that is no number', false, podWith([expression('cores', 'Gt', 'x')])],
    ['not by an unknown operator', false, podWith([expression('zone', 'Like', 'a')])],
    ['by its name', true, podWith([field('In', 'n1')])],
    ['not by the name of another', false, podWith([field('In', 'n2')])],
    ['not if its name is excluded', false, podWith([field('NotIn', 'n1')])],
    ['not by two names', false, podWith([field('In', 'n1', 'n2')])],
    ['by one of several terms', true, podWith([expression('zone', 'In', 'b'), field('In', 'n1')])],
    ['not by one half of a term', false, podWith([{ ...expression('zone', 'In', 'b'), ...field('In', 'n1') }])],
    ['not by no terms', false, podWith([])],
    ['not by an empty term', false, podWith([{}])],
    ['not by terms without the selector', false, podWith([field('In', 'n1')], { zone: 'b' })],
  ])('%s', (_, wanted, pod) => {
    expect(requiredNodeAffinity(pod)(node)).toBe(wanted);
  });

  test('as much as the terms that match weigh together', () => {
    const score = preferredSchedulingScore([
      { weight: 3, preference: expression('zone', 'In', 'a') },
      { weight: 5, preference: expression('zone', 'In', 'b') },
      { weight: 7, preference: field('In', 'n1') },
      { weight: 11, preference: {} },
    ]);
    expect(score(node)).toBe(10);
  });
});
