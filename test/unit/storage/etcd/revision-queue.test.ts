import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RevisionQueue } from '../../../../runtime/storage/etcd/revision-queue.ts';

describe('events of a watch', () => {
  test('are passed on in order, in batches of whole revisions, however many come at a time', async () => {
    const responses = fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 8 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(responses, fc.boolean(), async (sizes, isFlushed) => {
        const passed: { revision: number; events: readonly number[] }[] = [];
        const queue = new RevisionQueue<number>(
          (event) => event,
          (revision, events) => passed.push({ revision, events }),
        );
        let revision = 1;
        const all: number[] = [];
        for (const response of sizes) {
          const events = response.flatMap((count) => Array<number>(count).fill(++revision));
          all.push(...events);
          // revisions of other keys
          queue.add(++revision, events);
        }
        if (isFlushed) queue.flush();
        while (sizes.length > 0 && passed[passed.length - 1].revision < revision) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(passed.flatMap(({ events }) => events)).toEqual(all);
        let last = 0;
        for (const { revision: upTo, events } of passed) {
          expect(events.every((event) => event > last && event <= upTo)).toBe(true);
          last = upTo;
        }
        const [tooLarge] = passed.filter(({ events }) => events.length > 64 && events[63] !== events[events.length - 1]);
        expect(tooLarge).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});
