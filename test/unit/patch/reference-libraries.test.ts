import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../runtime/machinery/object.ts';
import { applyJsonPatch } from '../../../runtime/patch/json-patch.ts';
import { mergeJson } from '../../../runtime/patch/merge-patch.ts';

const require = createRequire(import.meta.url);
interface FastJsonPatch {
  compare(before: unknown, after: unknown): Json[];
  getValueByPointer(document: unknown, pointer: string): unknown;
  applyPatch(document: unknown, patch: unknown, validate: boolean, mutate: boolean): { newDocument: Json };
}
interface JsonMergePatch {
  apply(target: unknown, patch: unknown): Json;
  generate(before: unknown, after: unknown): Json;
}
const fastJsonPatch = require('fast-json-patch') as FastJsonPatch;
const jsonMergePatch = require('json-merge-patch') as JsonMergePatch;

const name = fc.constantFrom('a', 'b', 'c/d', 'e~f', '0');
const leaf = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('x', 'y'), fc.boolean());
const { document } = fc.letrec<{ document: Record<string, unknown>; value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('document')),
  document: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/**
 * Returns fast-json-patch's result. The library validates only the target of additions; a copy is an addition, and a
 * move is a removal and an addition. (RFC 6902, 4.4 and 4.5)
 */
function patched(before: unknown, operations: readonly Operation[]): Json {
  let document = structuredClone(before);
  // the library silently adds members to scalars, and removes characters from texts
  const requireParent = (path: string): void => {
    const parent = fastJsonPatch.getValueByPointer(document, path.slice(0, path.lastIndexOf('/')));
    if (typeof parent !== 'object') throw new Error('not in an object or a list');
  };
  const run = (operation: Operation): void => {
    requireParent(operation.path);
    document = fastJsonPatch.applyPatch(document, [operation], true, false).newDocument;
  };
  for (const operation of operations) {
    const { op, path, from = '' } = operation;
    if (op !== 'move' && op !== 'copy') {
      run(operation);
      continue;
    }
    requireParent(from);
    const value = structuredClone(fastJsonPatch.getValueByPointer(document, from));
    if (value === undefined) throw new Error('nothing there');
    if (op === 'move') run({ op: 'remove', path: from });
    run({ op: 'add', path, value });
  }
  return document as Json;
}

/** Returns all paths of a document. */
function pathsIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, `${at}/${escaped(key)}`))];
}

describe('JSON patch', () => {
  test('a patch of fast-json-patch turns one document into the other', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const patch = fastJsonPatch.compare(before, after);
        expect(applyJsonPatch(before as Json, patch)).toEqual(after);
      }),
    );
  });

  test('operations that both libraries support have the same result', () => {
    const operation = (paths: readonly string[]) => {
      const path = fc.constantFrom(...paths);
      const place = fc.oneof(
        path,
        fc.tuple(path, name).map(([at, step]) => `${at}/${escaped(step)}`),
      );
      return fc.oneof(
        fc.record({ op: fc.constant('add'), path: place, value: leaf }),
        fc.record({ op: fc.constant('remove'), path }),
        fc.record({ op: fc.constant('replace'), path, value: leaf }),
        fc.record({ op: fc.constant('move'), from: path, path: place }),
        fc.record({ op: fc.constant('copy'), from: path, path: place }),
      );
    };
    const scenario = document.chain((before) => {
      const paths = pathsIn(before).filter((path) => path !== '');
      const some = paths.length === 0 ? fc.constant([]) : fc.array<Operation>(operation(paths), { maxLength: 5 });
      // one library rejects a move into itself, the other deletes the value
      const operations = some.map((all) => all.filter(({ op, path, from = '' }) => op !== 'move' || !path.startsWith(from)));
      return fc.record({ before: fc.constant(before), operations });
    });
    let both = 0;
    fc.assert(
      fc.property(scenario, ({ before, operations }) => {
        let want: Json;
        try {
          want = patched(before, operations);
        } catch {
          return;
        }
        both++;
        expect(applyJsonPatch(before as Json, operations as unknown as Json)).toEqual(want);
      }),
      { numRuns: 3000 },
    );
    expect(both).toBeGreaterThan(50);
  });
});

describe('merge patch', () => {
  test('a patch of json-merge-patch turns one document into the other', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const patch = jsonMergePatch.generate(structuredClone(before), structuredClone(after));
        expect(mergeJson(before as Json, patch === undefined ? {} : patch)).toEqual(after);
      }),
    );
  });

  test('any patch has the same result', () => {
    const patch = fc.dictionary(name, fc.oneof(document, leaf, fc.constant(null)), { noNullPrototype: true });
    fc.assert(
      fc.property(document, patch, (before, change) => {
        const want = jsonMergePatch.apply(structuredClone(before), structuredClone(change));
        expect(mergeJson(before as Json, change as Json)).toEqual(want);
      }),
    );
  });
});
