import { describe, expect, test } from '@jest/globals';
import { Assembly } from '../../../runtime/server/assembly/assembly.ts';
import { openingOrder } from '../../../runtime/server/assembly/order.ts';
import { input, type Needs, optional, type Part, part } from '../../../runtime/server/assembly/part.ts';

const named = (name: string, needs: Needs = {}): Part<string> => part(name, { needs, open: () => name });
const namesOf = (parts: readonly Part<unknown>[]): string[] => parts.map(({ name }) => name);

describe('the order in which parts open', () => {
  const a = named('a');
  const b = named('b', { a });
  const c = named('c', { b, a });
  const loose = named('loose', { a: optional(a) });

  test.each<[string, readonly Part<unknown>[], string[]]>([
    ['is that of the list', [a, b, c], ['a', 'b', 'c']],
    ['puts a need before the part that needs it', [c, b, a], ['a', 'b', 'c']],
    ['puts an optional need before the part, too', [loose, a], ['a', 'loose']],
    ['leaves out an optional need that is not on the list', [loose], ['loose']],
  ])('%s', (_title, parts, want) => {
    expect(namesOf(openingOrder(parts))).toEqual(want);
  });

  test('cannot be found for a need that is not on the list', () => {
    expect(() => openingOrder([b])).toThrow('part "b" needs "a", which is not on the list');
  });

  test('cannot be found for parts that need each other', () => {
    const needs: Record<string, Part<unknown>> = {};
    const first = named('first', needs);
    const second = named('second', { first });
    needs.second = second;
    expect(() => openingOrder([first, second])).toThrow('parts need each other: first -> second -> first');
  });
});

describe('an assembly', () => {
  /** Returns a part that logs its opening and closing. */
  function logged(name: string, needs: Needs, log: string[], failsTo?: 'open' | 'close'): Part<string> {
    return part(name, {
      needs,
      open() {
        if (failsTo === 'open') throw new Error(`${name} cannot open`);
        log.push(`+${name}`);
        return name;
      },
      withdraw: () => void log.push(`~${name}`),
      close() {
        log.push(`-${name}`);
        if (failsTo === 'close') throw new Error(`${name} cannot close`);
      },
    });
  }

  const assemble = (parts: readonly Part<unknown>[], errors: unknown[] = []) =>
    new Assembly({ parts, inputs: new Map(), report: (error) => errors.push(error) });

  test('closes its parts in the reverse order of their opening', async () => {
    const log: string[] = [];
    const a = logged('a', {}, log);
    const b = logged('b', { a }, log);
    const assembly = assemble([b, a]);
    await assembly.open();
    await assembly.withdraw();
    await assembly.close();
    expect(log).toEqual(['+a', '+b', '~a', '~b', '-b', '-a']);
  });

  test('closes what is open when a part cannot open', async () => {
    const log: string[] = [];
    const a = logged('a', {}, log);
    const b = logged('b', { a }, log, 'open');
    const assembly = assemble([a, b, logged('c', { b }, log)]);
    await expect(assembly.open()).rejects.toThrow('b cannot open');
    await assembly.close();
    expect(log).toEqual(['+a', '-a']);
  });

  test('closes the other parts when one cannot close', async () => {
    const log: string[] = [];
    const errors: unknown[] = [];
    const a = logged('a', {}, log);
    const assembly = assemble([a, logged('b', { a }, log, 'close')], errors);
    await assembly.open();
    await assembly.close();
    expect([log, errors]).toEqual([['+a', '+b', '-b', '-a'], [new Error('b cannot close')]]);
  });

  test('gives a part the values of its needs', async () => {
    const given = input<number>('given');
    const a = part('a', { needs: { given }, open: async ({ given }) => given + 1 });
    const absent = named('absent');
    const b = part('b', { needs: { a, absent: optional(absent) }, open: ({ a, absent }) => [a, absent] });
    const assembly = new Assembly({ parts: [a, b], inputs: new Map([[given, 1]]), report: () => undefined });
    await assembly.open();
    expect([assembly.get(b), assembly.find(absent)]).toEqual([[2, undefined], undefined]);
    expect(() => assembly.get(absent)).toThrow('part "absent" is not open');
  });

  test.each<[string, number | undefined, string]>([
    ['opens a part with what it took from its origin', 7, 'copy of 7 for a'],
    ['opens a part anew of which it took nothing', undefined, 'new for a'],
  ])('that is a fork %s', async (_title, taken, want) => {
    const a = named('a');
    const forked = part('forked', {
      needs: { a },
      open: ({ a }) => `new for ${a}`,
      fork: {
        take: (opened: string, moment: { readonly value: number | undefined }) => (opened === 'new for a' ? moment.value : Number.NaN),
        open: (value, { a }) => `copy of ${value} for ${a}`,
      },
    });
    const origin = assemble([a, forked]);
    await origin.open();
    const fork = new Assembly({
      parts: [a, forked],
      inputs: new Map(),
      report: () => undefined,
      taken: origin.take({ value: taken }),
    });
    await fork.open();
    expect(fork.get(forked)).toBe(want);
  });
});
