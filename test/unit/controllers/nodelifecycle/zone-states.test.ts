import { describe, expect, test } from '@jest/globals';
import { stateOfZone, ZoneStates } from '../../../../runtime/controllers/nodelifecycle/zone-states.ts';

const nodes = (isReady: number, isNotReady: number) => [
  ...Array.from({ length: isReady }, () => ({ type: 'Ready', status: 'True' })),
  ...Array.from({ length: isNotReady }, () => ({ type: 'Ready', status: 'Unknown' })),
];

describe('zones of nodes', () => {
  test.each([
    [3, 0, 'Normal'],
    [1, 2, 'Normal'],
    [3, 3, 'Normal'],
    [2, 3, 'PartialDisruption'],
    [0, 1, 'FullDisruption'],
  ])('with %d nodes that are ready and %d that are not are in the state %3$s', (isReady, isNotReady, want) => {
    expect(stateOfZone(nodes(isReady, isNotReady))).toBe(want);
  });

  test('small zones stop when most of their nodes are not ready, and large ones are slow', () => {
    const zones = new ZoneStates();
    const first = new Map([
      ['small', nodes(10, 0)],
      ['large', nodes(60, 0)],
    ]);
    expect([...zones.update(first).rates]).toEqual([
      ['small', 0.1],
      ['large', 0.1],
    ]);
    const partial = new Map([
      ['small', nodes(4, 6)],
      ['large', nodes(20, 40)],
    ]);
    expect([...zones.update(partial).rates]).toEqual([
      ['small', 0],
      ['large', 0.01],
    ]);
    expect(zones.update(partial)).toEqual({ ofAll: 'no', rates: new Map() });
    expect([...zones.update(first).rates]).toEqual([
      ['small', 0.1],
      ['large', 0.1],
    ]);
  });

  test('everything stops while no node is ready', () => {
    const zones = new ZoneStates();
    zones.update(
      new Map([
        ['a', nodes(1, 0)],
        ['b', nodes(1, 0)],
      ]),
    );
    const none = new Map([
      ['a', nodes(0, 1)],
      ['b', nodes(0, 1)],
    ]);
    expect(zones.update(none)).toEqual({
      ofAll: 'begins',
      rates: new Map([
        ['a', 0],
        ['b', 0],
      ]),
    });
    expect(zones.update(none)).toEqual({ ofAll: 'lasts', rates: new Map() });
    const some = new Map([
      ['a', nodes(1, 0)],
      ['b', nodes(0, 1)],
    ]);
    expect(zones.update(some)).toEqual({
      ofAll: 'ends',
      rates: new Map([
        ['a', 0.1],
        ['b', 0.1],
      ]),
    });
  });
});
