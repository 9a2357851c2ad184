import { describe, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCbor, encodeCbor } from '../../../runtime/codec/cbor.ts';
import { parseExactJson } from '../../../runtime/codec/json/exact.ts';
import { decodeJson } from '../../../runtime/codec/json.ts';
import { decodeYaml } from '../../../runtime/codec/yaml.ts';

import type { Json } from '../../../runtime/machinery/object.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';
import { joined } from '../../support/growth.ts';
import { expectLinearMemory } from '../../support/retained.ts';

withoutBudget();

type Decode = (bytes: Uint8Array) => unknown;

const jsonTexts: Readonly<Record<string, (n: number) => string>> = {
  'small keys': (n) => `{${joined(n, (i) => `"k${i}":1`)}}`,
  'empty objects': (n) => `[${joined(n, () => '{}')}]`,
  texts: (n) => `[${joined(n, (i) => `"text ${i}"`)}]`,
  'one text of escapes': (n) => `"${'\\u00e9'.repeat(n)}"`,
  'one key repeatedly': (n) => `{${joined(n, () => '"a":1')}}`,
  numbers: (n) => `[${joined(n, (i) => `${i}.5`)}]`,
};

const yamlTexts: Readonly<Record<string, (n: number) => string>> = {
  'small keys': (n) => Array.from({ length: n }, (_, i) => `k${i}: 1\n`).join(''),
  comments: (n) => `a: 1\n${'# a\n'.repeat(n)}`,
  tags: (n) => Array.from({ length: n }, (_, i) => `- !!str ${i}\n`).join(''),
  anchors: (n) => Array.from({ length: n }, (_, i) => `- &a${i} x\n`).join(''),
  'flow lists': (n) => `[${joined(n, () => '[]')}]`,
  'a folded text': (n) => `a: >\n${'  words\n'.repeat(n)}`,
};

/** The sizes that are measured: large enough to exceed the noise. */
const sizes = fc.integer({ min: 40_000, max: 60_000 });

function holds(decode: Decode, bytesOf: (n: number) => Uint8Array): void {
  fc.assert(
    fc.property(sizes, (n) => {
      expectLinearMemory(n, (size) => {
        const bytes = bytesOf(size);
        return () => decode(bytes);
      });
    }),
    { numRuns: 1, verbose: true },
  );
}

describe.each<[string, Decode]>([
  ['JSON', decodeJson],
  ['JSON with exact digits and duplicate keys', (bytes) => parseExactJson(bytes, { duplicates: [] })],
])('%s takes memory in proportion to its bytes', (_title, decode) => {
  test.each(Object.keys(jsonTexts))('%s', (name) => holds(decode, (n) => Buffer.from(jsonTexts[name](n))));
});

describe('YAML takes memory in proportion to its bytes', () => {
  test.each(Object.keys(yamlTexts))('%s', (name) => holds(decodeYaml, (n) => Buffer.from(yamlTexts[name](n))));
});

/** Arrays and maps of Kubernetes' CBOR hold 1,024 items: more are in lists of lists. */
const cborItems: Readonly<Record<string, (i: number) => Json>> = {
  'small objects': (i) => ({ [`k${i}`]: 1 }),
  'empty objects': () => ({}),
  texts: (i) => `text ${i}`,
  numbers: (i) => i + 0.5,
};

function listsOf(n: number, item: (i: number) => Json): Json {
  const row = 500;
  return Array.from({ length: Math.ceil(n / row) }, (_, at) =>
    Array.from({ length: row }, (_, i) => item(at * row + i)),
  );
}

describe('CBOR takes memory in proportion to its bytes', () => {
  test.each(Object.keys(cborItems))('%s', (name) => holds(decodeCbor, (n) => encodeCbor(listsOf(n, cborItems[name]))));
});
