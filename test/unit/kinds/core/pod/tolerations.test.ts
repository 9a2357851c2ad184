import { describe, expect, test } from '@jest/globals';
import {
  addOrUpdateTolerations,
  mergeTolerations,
  type Toleration,
  verifyAgainstWhitelist,
} from '../../../../../runtime/kinds/core/pod/tolerations.ts';
import { Random } from '../../../../support/random.ts';

/**
 * Reports whether `all` tolerates everything that `one` does, in the simplest way. (pkg/util/tolerations isSuperset)
 */
function isSuperset(all: Toleration, one: Toleration): boolean {
  if (isSame(all, one)) return true;
  if (one.key !== all.key && !(all.key === '' && all.operator === 'Exists')) return false;
  if (one.effect !== all.effect && all.effect !== '') return false;
  if (all.effect === 'NoExecute' && all.tolerationSeconds !== undefined) {
    if (one.tolerationSeconds === undefined || one.tolerationSeconds > all.tolerationSeconds) return false;
  }
  if (all.operator === 'Exists') return true;
  return one.operator === 'Equal' && one.value === all.value;
}

const isSame = (a: Toleration, b: Toleration): boolean => JSON.stringify(a) === JSON.stringify(b);

function merged(all: readonly Toleration[]): Toleration[] {
  const kept: Toleration[] = [];
  for (const [index, one] of all.entries()) {
    const later = all.slice(index + 1);
    if (kept.some((other) => isSuperset(other, one))) continue;
    if (later.some((other) => !isSame(other, one) && isSuperset(other, one))) continue;
    kept.push(one);
  }
  return kept;
}

function randomTolerations(random: Random): Toleration[] {
  return Array.from({ length: random.between(0, 6) }, () => {
    const operator = random.pick(['', 'Equal', 'Exists']);
    return {
      key: random.pick(['', 'a', 'b']),
      operator,
      value: operator === 'Exists' ? '' : random.pick(['', 'v']),
      effect: random.pick(['', 'NoExecute', 'NoSchedule']),
      ...(random.chance(0.5) ? { tolerationSeconds: random.between(0, 2) } : {}),
    };
  });
}

describe('lists of tolerations', () => {
  test('are merged and checked as by comparing each with each', () => {
    const seed = Number(process.env.SEED ?? 7);
    const random = new Random(seed);
    for (let round = 0; round < 500; round++) {
      const [first, second] = [randomTolerations(random), randomTolerations(random)];
      const where = `SEED=${seed} round ${round}: ${JSON.stringify([first, second])}`;
      expect([where, mergeTolerations(first, second)]).toEqual([where, merged([...first, ...second])]);
      const isAllowed = second.length === 0 || first.every((one) => second.some((allowed) => isSuperset(allowed, one)));
      expect([where, verifyAgainstWhitelist(first, second)]).toEqual([where, isAllowed]);
    }
  });

  test('get further ones, which take the place of those that differ in seconds', () => {
    const [a, b] = ['a', 'b'].map((key) => ({ key, operator: 'Exists', effect: 'NoExecute' }));
    const spec = { tolerations: [{ ...a, tolerationSeconds: 5 }] };
    addOrUpdateTolerations(spec, [a, b]);
    expect(spec.tolerations).toEqual([a, b]);
    addOrUpdateTolerations(spec, [a]);
    expect(spec.tolerations).toEqual([a, b]);
  });
});
