import { describe, expect, test } from '@jest/globals';
import { Random } from '../../support/random.ts';
import { linearize } from './linearize.ts';
import { type ObjectInput, type ObjectOperation, type ObjectOutput, objectModel, type Version } from './object-model.ts';
import type { Model, Operation } from './operation.ts';
import { shrink } from './shrink.ts';

const slots = 2;
const version = (revision: number, writer: number, uid = 'u', [one, two] = [writer, writer]): Version => ({
  revision,
  writer,
  uid,
  slots: [one, two],
});
const is = (...args: Parameters<typeof version>): ObjectOutput => ({ result: 'version', version: version(...args) });
const [absent, exists, conflict, deleted] = (['absent', 'exists', 'conflict', 'deleted'] as const).map(
  (result): ObjectOutput => ({ result }),
);
const create = (mark: number): ObjectInput => ({ type: 'create', mark, slots });
const update = (mark: number, guard?: number): ObjectInput => ({ type: 'update', mark, slots, guard });
const patch = (mark: number, slot: number): ObjectInput => ({ type: 'patch', mark, slot });
const remove = (guard?: number): ObjectInput => ({ type: 'delete', guard });
const read: ObjectInput = { type: 'read' };

/** call, return, input, output. Without an output the return is meaningless. */
type Row = readonly [number, number, ObjectInput, ObjectOutput?];

const historyOf = (rows: readonly Row[]): ObjectOperation[] =>
  rows.map(([call, end, input, output], at) =>
    output === undefined
      ? { client: `c${at}`, input, call, return: Number.POSITIVE_INFINITY }
      : { client: `c${at}`, input, output, call, return: end },
  );

const created: Row = [1, 2, create(1), is(10, 1)];

describe('histories of an object that can be explained', () => {
  test.each<[string, readonly Row[], (readonly Version[])?]>([
    ['nothing', []],
    ['a read of nothing', [[1, 2, read, absent]]],
    ['a read beside a write, of either state', [created, [3, 9, update(2), is(11, 2)], [4, 5, read, is(10, 1)], [6, 7, read, is(11, 2)]]],
    [
      'a write that returned later than one that saw it',
      [
        [1, 9, create(1), is(10, 1)],
        [2, 3, create(2), exists],
      ],
    ],
    ['one of two guarded writes', [created, [3, 6, update(2, 10), is(11, 2)], [4, 5, update(3, 10), conflict]]],
    ['a second life under another uid', [created, [3, 4, remove(), deleted], [5, 6, read, absent], [7, 8, create(2), is(12, 2, 'v')]]],
    ['patches of different slots', [created, [3, 6, patch(2, 0), is(11, 2, 'u', [2, 1])], [4, 7, patch(3, 1), is(12, 3, 'u', [2, 3])]]],
    ['an unknown write that never shows up', [created, [3, 0, update(2)], [5, 6, read, is(10, 1)]]],
    [
      'an unknown write that shows up later',
      [created, [3, 0, update(2)], [5, 6, read, is(10, 1)], [7, 8, read, is(11, 2)]],
      [version(11, 2)],
    ],
    ['an unknown write that nobody saw, but a guard', [created, [3, 0, update(2)], [5, 6, update(3, 10), conflict]]],
    ['an unknown deletion, seen as absence much later', [created, [3, 0, remove()], [5, 6, read, is(10, 1)], [7, 8, read, absent]]],
    ['an unknown creation between two deletions', [created, [3, 0, create(2)], [4, 5, remove(), deleted], [6, 7, remove(), deleted]]],
  ])('%s', (_, rows, seen = []) => {
    const model = objectModel(new Map(seen.map((one) => [one.writer, one])));
    expect(linearize(model, historyOf(rows))).toEqual({ ok: true });
  });
});

describe('histories of an object that cannot be explained', () => {
  test.each<[string, readonly Row[], (readonly Version[])?]>([
    ['a stale read', [created, [3, 4, update(2), is(11, 2)], [5, 6, read, is(10, 1)]]],
    ['a read that goes back', [created, [3, 20, update(2), is(11, 2)], [4, 5, read, is(11, 2)], [6, 7, read, is(10, 1)]]],
    ['a stale absence', [created, [3, 4, read, absent]]],
    ['a lost write', [created, [3, 4, update(2), is(11, 2)], [5, 6, update(3, 10), is(12, 3)]]],
    ['a lost patch', [created, [3, 4, patch(2, 0), is(11, 2, 'u', [2, 1])], [5, 6, patch(3, 1), is(12, 3, 'u', [1, 3])]]],
    ['two guarded writes that both succeed', [created, [3, 6, update(2, 10), is(11, 2)], [4, 5, update(3, 10), is(12, 3)]]],
    [
      'two creations that both succeed',
      [
        [1, 4, create(1), is(10, 1)],
        [2, 3, create(2), is(11, 2)],
      ],
    ],
    ['two deletions of one life', [created, [3, 6, remove(), deleted], [4, 5, remove(), deleted]]],
    ['a guarded deletion of something newer', [created, [3, 4, update(2), is(11, 2)], [5, 6, remove(10), deleted]]],
    ['a value that nobody wrote', [created, [3, 4, read, is(10, 7)]]],
    ['a value before it was written', [created, [3, 4, read, is(11, 2)], [5, 6, update(2), is(11, 2)]]],
    ['a conflict with nobody', [created, [3, 4, update(2, 10), conflict]]],
    ['an update without a guard that conflicts', [created, [3, 4, update(2), conflict]]],
    ['a revision that goes back', [created, [3, 4, update(2), is(9, 2)]]],
    ['an update that changes the uid', [created, [3, 4, update(2), is(11, 2, 'v')]]],
    [
      'an unknown write that goes away again',
      [created, [3, 0, update(2)], [5, 6, read, is(11, 2)], [7, 8, read, is(10, 1)]],
      [version(11, 2)],
    ],
    [
      'an unknown write that happened twice',
      [created, [3, 0, remove()], [5, 6, read, absent], [7, 8, create(2), is(12, 2, 'v')], [9, 10, read, absent]],
    ],
  ])('%s', (_, rows, seen = []) => {
    const model = objectModel(new Map(seen.map((one) => [one.writer, one])));
    expect(linearize(model, historyOf(rows))).toMatchObject({ ok: false, gaveUp: false });
  });
});

/** A register with one number: reads have an output, writes an input. */
const register: Model<number, number | 'read', number> = {
  initial: 0,
  step: (state, input, output) => (input === 'read' ? (state === output ? state : undefined) : input),
  key: String,
};

/**
 * Returns the history of clients of a register whose operations take effect at random moments between call and return.
 */
function realHistory(random: Random, clients: number, length: number): Operation<number | 'read', number>[] {
  const operations: Operation<number | 'read', number>[] = [];
  const points: { at: number; take: () => void }[] = [];
  let state = 0;
  for (let client = 0; client < clients; client++) {
    let time = client / 100;
    for (let count = 0; count < length; count++) {
      const [call, point, end] = [time + random.next(), time + 1 + random.next(), time + 2 + random.next()];
      const input = random.chance(0.5) ? ('read' as const) : random.between(1, 4);
      time = end;
      const isOpen = input !== 'read' && random.chance(0.1);
      const take = (): void => {
        if (input !== 'read') state = input;
        const base = { client: String(client), input, call };
        operations.push(isOpen ? { ...base, return: Number.POSITIVE_INFINITY } : { ...base, output: state, return: end });
      };
      if (isOpen && random.chance(0.5)) operations.push({ client: String(client), input, call, return: Number.POSITIVE_INFINITY });
      else points.push({ at: isOpen ? point + random.between(0, 20) : point, take });
    }
  }
  for (const { take } of points.sort((one, other) => one.at - other.at)) take();
  return operations;
}

test('histories of a real register can be explained, and as the search says by trying every order', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const history = realHistory(random, 3, 2);
    expect([seed, linearize(register, history)]).toEqual([seed, { ok: true }]);
    const reads = history.filter(({ input, output }) => input === 'read' && output !== undefined);
    if (reads.length === 0) continue;
    const wrong = random.pick(reads);
    const changed = history.map((one) => (one === wrong ? { ...one, output: random.between(0, 4) } : one));
    expect([seed, linearize(register, changed).ok]).toEqual([seed, canBeOrdered(0, changed)]);
  }
});

/** Linearizability by definition, in exponential time. */
function canBeOrdered(state: number, left: readonly Operation<number | 'read', number>[]): boolean {
  if (left.every(({ output }) => output === undefined)) return true;
  return left.some((one) => {
    if (left.some((other) => other.return < one.call)) return false;
    const next = register.step(state, one.input, one.output);
    return (
      next !== undefined &&
      canBeOrdered(
        next,
        left.filter((other) => other !== one),
      )
    );
  });
}

test('long histories of many clients are explained', () => {
  expect(linearize(register, realHistory(new Random(1), 8, 100))).toEqual({ ok: true });
});

test('a failing history is shrunk to what cannot be explained', () => {
  const rows: Row[] = [created];
  for (let at = 0; at < 20; at++) rows.push([3 + 2 * at, 4 + 2 * at, read, is(10, 1)]);
  rows.push([50, 51, update(2), is(11, 2)], [52, 53, read, is(11, 2)], [54, 55, read, is(10, 1)], [56, 57, read, is(11, 2)]);
  const small = shrink(objectModel(), historyOf(rows), ({ input }) => input.type === 'read');
  expect(small).toEqual(historyOf(rows).filter(({ call }) => [1, 50, 54].includes(call)));
});
