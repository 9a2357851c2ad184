import { expect, test } from '@jest/globals';
import { compareKubeAwareVersions } from '../../../runtime/machinery/kube-versions.ts';

test('versions are ordered by priority', () => {
  const order = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10', 'v0'];
  const shuffled = [...order].sort();
  expect(shuffled.sort((a, b) => compareKubeAwareVersions(b, a))).toEqual(order);
  expect(compareKubeAwareVersions('v1', 'v1')).toBe(0);
});
