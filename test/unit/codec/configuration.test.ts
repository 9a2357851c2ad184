import { describe, expect, test } from '@jest/globals';
import { decodeConfiguration, listOf, mapOf, struct, type TypeMeta } from '../../../runtime/codec/configuration.ts';
import { bool, int32, string } from '../../../runtime/machinery/prune/values.ts';

interface Item {
  readonly name?: string;
  readonly count?: number;
}

interface Example extends TypeMeta {
  readonly items?: readonly Item[];
  readonly names?: Readonly<Record<string, string>>;
  readonly enabled?: boolean;
}

const item = struct<Item>('v1.Item', { name: string, count: int32 });
const example = struct<Example>('v1.Example', {
  apiVersion: string,
  kind: string,
  enabled: bool,
  items: listOf('v1.Item', item),
  names: mapOf('string', string),
});
const decode = (text: string): Example =>
  decodeConfiguration(Buffer.from(text), { kind: 'Example', versions: { 'example.io/v1': example } });

const head = 'apiVersion: example.io/v1\nkind: Example\n';

describe('a configuration file', () => {
  test('is read from YAML or JSON; fields that are missing or null are left out', () => {
    const want = { apiVersion: 'example.io/v1', kind: 'Example', items: [{ name: 'a' }, {}], names: { x: 'z' } };
    expect(decode(`${head}items: [{name: a, count: null}, null]\nnames: {x: z}\nenabled: null`)).toEqual(want);
    expect(decode(JSON.stringify(want))).toEqual(want);
  });

  test.each([
    ['', "Object 'Kind' is missing in ''"],
    ['[]', "Object 'Kind' is missing in '[]'"],
    ['kind: Example', "Object 'apiVersion' is missing in 'kind: Example'"],
    [`apiVersion: example.io/v1\nkind: Other`, 'no kind "Other" is registered for version "example.io/v1"'],
    ['apiVersion: constructor\nkind: Example', 'no kind "Example" is registered for version "constructor"'],
    [`${head}enabled: 1`, 'json: cannot unmarshal number into Go struct field Example.enabled of type bool'],
    [`${head}items: {}`, 'json: cannot unmarshal object into Go struct field Example.items of type []v1.Item'],
    [`${head}items: [{count: 1.5}]`, 'json: cannot unmarshal number 1.5 into Go struct field Item.items.count of type int32'],
    [`${head}names: {x: 1}`, 'json: cannot unmarshal number into Go struct field Example.names of type string'],
    [`${head}disabled: 1\nitems: [{id: 1}]`, 'strict decoding error: unknown field "disabled", unknown field "items[0].id"'],
    [`${head}enabled: true\nenabled: false`, 'strict decoding error: yaml: unmarshal errors:\n  line 4: key "enabled" already set in map'],
    ['a: [', 'yaml: line 1: did not find expected node content'],
  ])('%j is refused', (text, message) => expect(() => decode(text)).toThrow(message));
});
