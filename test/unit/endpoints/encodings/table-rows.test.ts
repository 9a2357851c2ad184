import { describe, expect, test } from '@jest/globals';
import { decodeJson, encodeJson } from '../../../../runtime/codec/json.ts';
import { type IncludeObject, includedObject, rowCells } from '../../../../runtime/codec/table.ts';
import { bytesOf, type Piece } from '../../../../runtime/endpoints/encodings/list-body.ts';
import { partialJson } from '../../../../runtime/endpoints/encodings/partial-metadata.ts';
import { TableRowEncoder } from '../../../../runtime/endpoints/encodings/table-rows.ts';
import { ageMarks, ageOf } from '../../../../runtime/machinery/age.ts';
import type { ResourceDefinition } from '../../../../runtime/machinery/resource.ts';
import type { StoredObject } from '../../../../runtime/storage/object-store/contract.ts';
import type { TestObject } from '../../../support/test-object.ts';

const definition = {
  group: '',
  kind: 'ConfigMap',
  version: 'v1',
  storageVersion: 'v1',
  writeRules: {},
  columns: [
    { name: 'Name', cell: ({ metadata }: TestObject) => metadata.name },
    { name: 'Note', cell: ({ data }: TestObject) => data.note },
    { name: 'Age', cell: ({ metadata }: TestObject, now: number) => ageOf(metadata.creationTimestamp, now) },
  ],
} as unknown as ResourceDefinition;
const created = Date.parse('2024-01-01T00:00:00Z');

function stored(note: string): StoredObject & { made: number } {
  const metadata =
    '{"resourceVersion":"7","name":"wéb","creationTimestamp":"2024-01-01T00:00:00Z","managedFields":[{"fieldsV1":{"f:a":{"k:{\\"x\\":\\"}\\"}":{}}}}]}';
  const json = Buffer.from(`{"kind":"ConfigMap","apiVersion":"v1","metadata":${metadata},"data":{"note":${JSON.stringify(note)}}}`);
  const encodings = new Map<string, Uint8Array>();
  const one = {
    made: 0,
    json,
    jsonLength: json.length,
    writeJson: (target: Uint8Array, start: number) => start + json.copy(target, start),
    decode: () => decodeJson(json) as unknown as TestObject,
    cacheEncode(key: string, make: () => Uint8Array) {
      const known = encodings.get(key);
      if (known !== undefined) return known;
      one.made += 1;
      encodings.set(key, make());
      return encodings.get(key) as Uint8Array;
    },
  };
  return one as unknown as StoredObject & { made: number };
}

const text = (piece: Piece = new Uint8Array()) => Buffer.from(bytesOf(piece)).toString();

describe('rows of a table', () => {
  for (const include of ['None', 'Metadata', 'Object'] as const satisfies readonly IncludeObject[]) {
    for (const [what, note] of [
      ['a row', 'plain'],
      ['a row that cannot be cached', `a${ageMarks[0]}b`],
    ]) {
      test(`equal freshly built rows, with ${include}: ${what}`, () => {
        const one = stored(note);
        const rows = new TableRowEncoder(definition, include, 'v1');
        for (const later of [5, 500, 86_400 * 3]) {
          const now = created + later * 1000;
          const fresh = encodeJson({
            cells: rowCells(one.decode(), definition.columns, now),
            object: includedObject(one.decode(), include),
          });
          expect(text(rows.encode(one, now))).toBe(text(fresh));
        }
        expect(one.made).toBe(1);
      });
    }
  }

  test('of versions other than the stored one are built from scratch', () => {
    const conversion = { fromStorage: (object: TestObject) => ({ ...object, data: { note: 'converted' } }) };
    const other = { ...definition, version: 'v2', conversion } as unknown as ResourceDefinition;
    expect(text(new TableRowEncoder(other, 'None', 'v1').encode(stored('plain'), created))).toContain('"converted"');
  });
});

test('partial metadata is cut out of the stored bytes', () => {
  const one = stored('plain');
  const { metadata } = one.decode();
  const whole = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1beta1', metadata };
  expect(text(partialJson(one, 'v1beta1'))).toBe(text(encodeJson(whole)));
});
