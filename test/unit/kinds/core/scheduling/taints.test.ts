import { describe, expect, test } from '@jest/globals';
import type { Taint, Toleration } from '../../../../../generated/v1.35/core/v1/types.ts';
import { findUntoleratedTaint, isDoNotScheduleTaint, toleratesTaint } from '../../../../../runtime/kinds/core/scheduling/taints.ts';

const taint: Taint = { key: 'dedicated', value: 'db', effect: 'NoSchedule' };

describe('a taint is tolerated', () => {
  test.each<[string, boolean, Toleration]>([
    ['by its key and value', true, { key: 'dedicated', value: 'db' }],
    ['by Equal', true, { key: 'dedicated', operator: 'Equal', value: 'db', effect: 'NoSchedule' }],
    ['not by another value', false, { key: 'dedicated', operator: 'Equal', value: 'web' }],
    ['not by another effect', false, { key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }],
    ['not by another key', false, { key: 'gpu', operator: 'Exists' }],
    ['by Exists', true, { key: 'dedicated', operator: 'Exists' }],
    ['by whoever tolerates everything', true, { operator: 'Exists' }],
    ['not by Gt, which is behind a gate', false, { key: 'dedicated', operator: 'Gt', value: '1' }],
  ])('%s', (_, tolerated, toleration) => {
    expect(toleratesTaint(toleration, taint)).toBe(tolerated);
  });

  test('and the first that is not is found among those of interest', () => {
    const preferred: Taint = { key: 'slow', effect: 'PreferNoSchedule' };
    const evicting: Taint = { key: 'broken', effect: 'NoExecute' };
    const taints = [preferred, taint, evicting];
    expect(findUntoleratedTaint(taints, [{ key: 'dedicated', operator: 'Exists' }], isDoNotScheduleTaint)).toBe(evicting);
    expect(findUntoleratedTaint(taints, [{ operator: 'Exists' }], () => true)).toBeUndefined();
    expect(findUntoleratedTaint(taints, undefined, () => true)).toBe(preferred);
  });
});
