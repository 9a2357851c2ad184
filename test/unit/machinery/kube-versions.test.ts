import { expect, test } from '@jest/globals';
import { compareVersions } from '../../../runtime/machinery/kube-versions.ts';

test('versions are in the order of their ripeness', () => {
  const order = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10', 'v0'];
  const shuffled = [...order].sort();
  expect(shuffled.sort((a, b) => compareVersions(b, a))).toEqual(order);
  expect(compareVersions('v1', 'v1')).toBe(0);
});
