import { describe, expect, test } from '@jest/globals';
import type { ObjectInput, ObjectOutput, Version } from '../linearizability/object-model.ts';
import { History } from './history.ts';
import { dataOf, versionOf } from './wire.ts';

const version = (revision: number, writer: number): Version => ({
  revision,
  writer,
  uid: 'u',
  slots: [writer, writer, writer],
});
const is = (revision: number, writer: number): ObjectOutput => ({
  result: 'version',
  version: version(revision, writer),
});
const create = (mark: number): ObjectInput => ({ type: 'create', mark, slots: 3 });
const update = (mark: number): ObjectInput => ({ type: 'update', mark, slots: 3 });

/** Returns the history of one client's successive operations. */
function sequence(rows: readonly (readonly [string, ObjectInput, ObjectOutput?])[]): History {
  const history = new History();
  for (const [name, input, output] of rows) history.operation(name, { client: 'c', input, call: history.tick() }, output);
  return history;
}

const snapshotOf = (revision: number, ...all: readonly (readonly [string, Version])[]) => ({
  revision,
  objects: new Map(all),
  client: 'l',
});

describe('a history', () => {
  test('shows the smallest part that no order explains', () => {
    const history = sequence([
      ['b', create(7), is(9, 7)],
      ['a', create(1), is(10, 1)],
      ['a', { type: 'read' }, is(10, 1)],
      ['a', update(2), is(11, 2)],
      ['a', { type: 'read' }, is(10, 1)],
      ['a', { type: 'read' }, is(11, 2)],
    ]);
    expect(() => history.checkObjects()).toThrow(
      [
        'no order explains the operations on a:',
        '  3..4         c    create 1: revision 10 by 1, slots 1,1,1, uid u',
        '  7..8         c    update 2: revision 11 by 2, slots 2,2,2, uid u',
        '  9..10        c    read: revision 10 by 1, slots 1,1,1, uid u',
      ].join('\n'),
    );
  });

  test.each<[string, () => unknown, string]>([
    [
      'two contents of one revision',
      () =>
        sequence([
          ['a', create(1), is(10, 1)],
          ['b', create(2), is(10, 2)],
        ]),
      'two changes at revision 10',
    ],
    [
      'a write that happened twice',
      () =>
        sequence([
          ['a', create(1), is(10, 1)],
          ['a', { type: 'read' }, is(11, 1)],
        ]).checkObjects(),
      'the write of 1 happened twice',
    ],
    [
      'a revision below one that was known',
      () =>
        sequence([
          ['a', create(1), is(10, 1)],
          ['b', create(2), is(9, 2)],
        ]).checkRevisions(),
      'revisions went back: c: create of b has 9, after c: create of a had 10',
    ],
  ])('does not accept %s', (_, make, want) => {
    expect(make).toThrow(want);
  });

  const written = () =>
    sequence([
      ['a', create(1), is(10, 1)],
      ['b', create(2), is(11, 2)],
      ['a', update(3), is(12, 3)],
    ]);

  test.each<[string, ReturnType<typeof snapshotOf>, string | undefined]>([
    ['of everything', snapshotOf(12, ['a', version(12, 3)], ['b', version(11, 2)]), undefined],
    ['of an older revision', snapshotOf(11, ['a', version(10, 1)], ['b', version(11, 2)]), undefined],
    ['of two revisions', snapshotOf(11, ['a', version(12, 3)], ['b', version(11, 2)]), 'l at 11 has a of 12, which changed at 10'],
    ['with an old object', snapshotOf(12, ['a', version(10, 1)], ['b', version(11, 2)]), 'l at 12 has a of 10, which changed at 12'],
    ['without an object', snapshotOf(12, ['a', version(12, 3)]), 'l at 12 has b of no revision, which changed at 11'],
  ])('knows what is wrong about a list %s', (_, snapshot, want) => {
    const history = written();
    history.snapshot(snapshot, ['a', 'b']);
    if (want === undefined) history.checkSnapshots(true);
    else expect(() => history.checkSnapshots(true)).toThrow(want);
  });

  test('knows a list that is older than what was known when it was asked for', () => {
    const history = written();
    history.snapshot(snapshotOf(11, ['a', version(10, 1)], ['b', version(11, 2)]), ['a', 'b'], history.tick());
    expect(() => history.checkRevisions()).toThrow('revisions went back: l: list has 11, after c: update of a had 12');
  });

  test('does not miss deletions that nobody saw', () => {
    const history = written();
    history.snapshot(snapshotOf(20, ['a', version(12, 3)]), ['a', 'b']);
    history.checkSnapshots(false);
    expect(() => history.checkSnapshots(true)).toThrow('has b of no revision');
  });
});

test('objects that are torn, or moved, or another mark than they say are found', () => {
  const metadata = { name: 'a', uid: 'u', resourceVersion: '5' };
  const of = (data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  expect(versionOf(of({ ...dataOf('a', 7), ...dataOf('a', 8, 1) }))).toEqual({
    revision: 5,
    uid: 'u',
    writer: 8,
    slots: [7, 8, 7],
  });
  const whole = dataOf('a', 7);
  for (const data of [dataOf('b', 7), { ...whole, slot1: whole.slot1.slice(1) }, { ...whole, slot1: whole.slot2 }, {}]) {
    expect(() => versionOf(of(data))).toThrow('is torn');
  }
});
