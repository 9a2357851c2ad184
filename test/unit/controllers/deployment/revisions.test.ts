import { describe, expect, test } from '@jest/globals';
import type { ReplicaSet } from '../../../../generated/v1.35/apps/v1/types.ts';
import { byRevision, lastRevision, maxRevision, newSetAnnotations } from '../../../../runtime/controllers/deployment/revisions.ts';

const revision = 'deployment.kubernetes.io/revision';
const history = 'deployment.kubernetes.io/revision-history';
const set = (annotations: Record<string, string> = {}, name = 'web-1'): ReplicaSet => ({
  metadata: { name, annotations },
});
const of = (text: string, name?: string) => set({ [revision]: text }, name);

describe('revisions', () => {
  test.each([
    [[], 0n, 0n],
    [['1'], 1n, 0n],
    [['1', '3', '2'], 3n, 2n],
    [['3', 'x', '1'], 3n, 1n],
    [['2', '2'], 2n, 2n],
    [['3546343826724305832'], 3546343826724305832n, 0n],
  ])('of %j: the highest is %i, and the last one %i', (texts, highest, last) => {
    const sets = texts.map((text) => of(text));
    expect([maxRevision(sets), lastRevision(sets)]).toEqual([highest, last]);
  });

  test('are in the order of their numbers, and of names where there is none', () => {
    const sets = [of('10', 'a'), of('9', 'b'), of('9', 'a')];
    expect(sets.sort(byRevision).map(({ metadata }) => `${metadata.name}${metadata.annotations?.[revision]}`)).toEqual(['a9', 'b9', 'a10']);
  });

  const long = Array.from({ length: 500 }, (_, index) => String(1000 + index));
  // a ReplicaSet's annotations, and the same ones at revision 5
  test.each<[string, Record<string, string>, Record<string, string> | undefined]>([
    ['none', {}, { [revision]: '5' }],
    ['an older revision', { [revision]: '3' }, { [revision]: '5', [history]: '3' }],
    ['older revisions', { [revision]: '3', [history]: '1' }, { [revision]: '5', [history]: '1,3' }],
    ['this revision', { [revision]: '5' }, { [revision]: '5' }],
    ['a newer revision', { [revision]: '7', [history]: '1' }, { [revision]: '7', [history]: '1' }],
    ['no number', { [revision]: 'x' }, undefined],
    [
      'a long history',
      { [revision]: '3', [history]: long.join(',') },
      // the oldest revisions are dropped
      { [revision]: '5', [history]: [...long.slice(long.length - 399), '3'].join(',') },
    ],
    ['no room', { [revision]: '3', [history]: 'x'.repeat(3000) }, { [revision]: '5', [history]: '3' }],
  ])('a new ReplicaSet with %s', (_what, before, after) => {
    expect(newSetAnnotations({ metadata: {} }, set(before), 5n)).toEqual(after);
  });

  test('a new ReplicaSet has the annotations of its deployment, but not those of its own kind', () => {
    const own = {
      [revision]: '9',
      [history]: '8',
      'deployment.kubernetes.io/max-replicas': '1',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    const deployment = { metadata: { annotations: { ...own, 'kubernetes.io/change-cause': 'why' } } };
    expect(newSetAnnotations(deployment, set(), 1n)).toEqual({ [revision]: '1', 'kubernetes.io/change-cause': 'why' });
  });
});
