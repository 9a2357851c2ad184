import { decodeCbor, encodeCbor } from '../../../../runtime/codec/cbor.ts';
import { parseExactJson } from '../../../../runtime/codec/json/exact.ts';
import { decodeJson } from '../../../../runtime/codec/json.ts';
import { decodeYaml } from '../../../../runtime/codec/yaml.ts';
import type { Json } from '../../../../runtime/machinery/object.ts';

type Decode = (bytes: Uint8Array) => unknown;

/** A decoder, and inputs of any size by name. */
export interface Codec {
  readonly title: string;
  readonly decode: Decode;
  readonly inputs: Readonly<Record<string, (n: number) => Uint8Array>>;
}

const joined = (n: number, text: (i: number) => string): string => Array.from({ length: n }, (_, i) => text(i)).join(',');

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

/** Kubernetes' CBOR limits arrays and maps to 1,024 items: more are in nested lists. */
const cborItems: Readonly<Record<string, (i: number) => Json>> = {
  'small objects': (i) => ({ [`k${i}`]: 1 }),
  'empty objects': () => ({}),
  texts: (i) => `text ${i}`,
  numbers: (i) => i + 0.5,
};

function listsOf(n: number, item: (i: number) => Json): Json {
  const row = 500;
  return Array.from({ length: Math.ceil(n / row) }, (_, at) => Array.from({ length: row }, (_, i) => item(at * row + i)));
}

function mapped<T>(named: Readonly<Record<string, T>>, bytesOf: (of: T, n: number) => Uint8Array): Codec['inputs'] {
  return Object.fromEntries(Object.entries(named).map(([name, of]) => [name, (n) => bytesOf(of, n)]));
}

const json = mapped(jsonTexts, (text, n) => Buffer.from(text(n)));

export const codecs: readonly Codec[] = [
  { title: 'JSON', decode: decodeJson, inputs: json },
  {
    title: 'JSON with exact digits and duplicate keys',
    decode: (bytes) => parseExactJson(bytes, { duplicates: [] }),
    inputs: json,
  },
  { title: 'YAML', decode: decodeYaml, inputs: mapped(yamlTexts, (text, n) => Buffer.from(text(n))) },
  { title: 'CBOR', decode: decodeCbor, inputs: mapped(cborItems, (item, n) => encodeCbor(listsOf(n, item))) },
];
