import { describe, expect, test } from '@jest/globals';
import { emitCodec } from '../../../../codegen/emit/codec.ts';
import type { FieldModel, TypeModel } from '../../../../codegen/model/model.ts';
import { exampleV1, field, list, map, message, model, scalar, special, type } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../runtime' };

function emit(...types: TypeModel[]): string {
  const all = { ...model, types: new Map(types.map((each) => [each.id, each])) };
  return emitCodec({ ...exampleV1, types, resources: [] }, all, context);
}

const leaf = type('example.com/v1', 'Leaf', [], { message: 'example.v1.Leaf' });

const only = (...fields: FieldModel[]): string => emit(type('example.com/v1', 'Only', fields, { message: 'example.v1.Only' }), leaf);

/** Ignores white space, because the text is formatted later. */
const squeeze = (text: string): string => text.replace(/\s+/g, ' ');

describe('a field becomes statements that write it and statements that read it', () => {
  const cases: [string, FieldModel, string, string][] = [
    [
      'text that is always written',
      field('a', scalar('string'), { protoNumber: 1 }),
      "writer.uint32(10).string(object.a ?? '');",
      "let a = ''; while (reader.pos < end) { const tag = reader.uint32(); switch (tag) { case 10: a = reader.string(); break; default:",
    ],
    [
      'a pointer, written when set',
      field('a', scalar('int32'), { protoNumber: 2, pointer: true }),
      'if (object.a != null) writer.uint32(16).int32(object.a);',
      'if (a !== undefined) output.a = a;',
    ],
    [
      'a pointer that is null when absent',
      field('a', scalar('bool'), { protoNumber: 2, pointer: true, omitEmpty: false }),
      'if (object.a != null) writer.uint32(16).bool(object.a);',
      'output.a = a ?? null;',
    ],
    [
      'int64',
      field('a', scalar('int64'), { protoNumber: 16 }),
      'writer.uint32(128); writeInt64(writer, object.a);',
      'case 128: a = readInt64(reader); break;',
    ],
    [
      'bytes',
      field('a', scalar('bytes'), { protoNumber: 3 }),
      'writeBytes(writer, 26, object.a);',
      'case 26: a = readBytes(reader); break;',
    ],
    [
      'a struct that is always written',
      field('a', message(leaf.id), { protoNumber: 4 }),
      'writer.uint32(34).fork(); encodeLeaf(object.a ?? empty, writer); writer.join();',
      'output.a = a ?? decodeLeaf(reader, 0);',
    ],
    [
      'a list',
      field('a', list(message(leaf.id)), { protoNumber: 5 }),
      'for (const item of object.a) { writer.uint32(42).fork(); encodeLeaf(item, writer); writer.join(); }',
      'a ??= []; a.push(decodeLeaf(reader, reader.uint32()));',
    ],
    [
      'a list of numbers, unpacked',
      field('a', list(scalar('int32')), { protoNumber: 5 }),
      'for (const item of object.a) writer.uint32(40).int32(item);',
      'case 40: a ??= []; a.push(reader.int32());',
    ],
    [
      'a map',
      field('a', map(scalar('string')), { protoNumber: 6 }),
      'writeMap(writer, 50, object.a, writeStringValue);',
      'a ??= {}; readEntry(reader, a, stringValue); break;',
    ],
    [
      'a map of structs',
      field('a', map(message(leaf.id)), { protoNumber: 6 }),
      'writer.uint32(18).fork(); encodeLeaf(value, writer); writer.join();',
      'readEntry(reader, a, (reader, present) => decodeLeaf(reader, present ? reader.uint32() : 0));',
    ],
    [
      'a list that is a message',
      field('a', { kind: 'list', of: scalar('string'), message: 'example.v1.Extra' }, { protoNumber: 7 }),
      'if (object.a != null) { writer.uint32(58).fork(); encodeStringItems(object.a, writer); writer.join(); }',
      'case 58: a = decodeStringItems(reader, reader.uint32()); break;',
    ],
    [
      'a time',
      field('a', special('Time'), { protoNumber: 8 }),
      'writer.uint32(66).fork(); encodeTime(object.a, writer); writer.join();',
      'output.a = a ?? null;',
    ],
    ['a quantity', field('a', special('Quantity'), { protoNumber: 8 }), 'encodeQuantity(object.a, writer);', "output.a = a ?? '0';"],
    ['a reserved name', field('default', scalar('string'), { protoNumber: 9 }), 'object.default', "let defaultField = '';"],
  ];
  test.each(cases)('%s', (_, given, writes, reads) => {
    const text = squeeze(only(given));
    expect(text).toContain(writes);
    expect(text).toContain(reads);
  });
});

test('fields are written by number and decoded into the order of the struct', () => {
  const text = squeeze(only(field('b', scalar('bool'), { protoNumber: 2 }), field('a', scalar('bool'), { protoNumber: 1 })));
  expect(text).toContain('writer.uint32(8).bool(object.a ?? false); writer.uint32(16).bool(object.b ?? false);');
  expect(text).toContain('if (b) output.b = b; if (a) output.a = a;');
});

test('an inlined struct is a message on the wire', () => {
  const ref = type('example.com/v1', 'Ref', [field('name', scalar('string'), { protoNumber: 1 })], { message: 'Ref' });
  const key = type(
    'example.com/v1',
    'Key',
    [field('name', scalar('string'), { inlinedFrom: ref.id }), field('key', scalar('string'), { protoNumber: 2 })],
    { message: 'Key', inlined: [{ id: ref.id, protoNumber: 1 }] },
  );
  const text = squeeze(emit(key, ref));
  expect(text).toContain('writer.uint32(10).fork(); encodeRef(object, writer); writer.join();');
  expect(text).toContain('case 10: refInlined = decodeRef(reader, reader.uint32()); break;');
  expect(text).toContain("Object.assign(output, refInlined ?? decodeRef(reader, 0)); if (keyField !== '')");
});

test('kinds have a codec; types without a message have none', () => {
  const gvk = { group: 'example.com', version: 'v1', kind: 'Kind' };
  const text = emit(type('example.com/v1', 'Kind', [], { gvk, message: 'Kind' }), type('example.com/v1', 'Other', [], { gvk }));
  expect(text).toContain('export const codecKind: ProtobufCodec<types.Kind> = messageCodec(encodeKind, decodeKind, messageKind);');
  expect(text).not.toContain('Other');
});

test('a message that can contain itself counts its nesting depth', () => {
  const tree = type('example.com/v1', 'Tree', [field('child', message('example.com/v1.Tree'), { protoNumber: 1, pointer: true })], {
    message: 'Tree',
  });
  expect(emit(tree)).toContain('descend(reader);');
  expect(only(field('a', message(leaf.id), { protoNumber: 1 }))).not.toContain('descend');
});
