import { describe, expect, test } from '@jest/globals';
import { encodeJson } from '../../../../runtime/codec/json.ts';
import {
  encodeStored,
  metadataOffset,
  metadataUid,
  servedJson,
  servedLength,
  vouchedValue,
  writeServed,
} from '../../../../runtime/storage/object-store/stored-json.ts';
import type { TestObject } from '../../../support/test-object.ts';

function serve(stored: Uint8Array, revision: number): string {
  const offset = metadataOffset(stored) as number;
  const place = { bytes: Buffer.concat([Buffer.from('before'), stored]), start: 6, length: stored.length };
  const json = { stored: { ...place, modRevision: revision }, offset };
  const target = new Uint8Array(servedLength(json));
  expect(writeServed(json, target, 0)).toBe(target.length);
  expect(Buffer.from(servedJson(stored, revision))).toEqual(Buffer.from(target));
  return Buffer.from(target).toString('utf8');
}

describe('stored JSON', () => {
  const cases: { name: string; object: TestObject; want: string }[] = [
    {
      name: 'kind, apiVersion and metadata first',
      object: { spec: {}, metadata: { name: 'a' }, apiVersion: 'v1', kind: 'Pod' },
      want: '{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7","name":"a"},"spec":{}}',
    },
    {
      name: 'a given resourceVersion is replaced',
      object: { metadata: { resourceVersion: '3', name: 'a' } },
      want: '{"metadata":{"resourceVersion":"7","name":"a"}}',
    },
    {
      name: 'empty metadata',
      object: { kind: 'Pod', metadata: {} },
      want: '{"kind":"Pod","metadata":{"resourceVersion":"7"}}',
    },
    {
      name: 'a kind that looks like metadata',
      object: { kind: '"metadata":{', apiVersion: '\\', metadata: { name: 'a' } },
      want: '{"kind":"\\"metadata\\":{","apiVersion":"\\\\","metadata":{"resourceVersion":"7","name":"a"}}',
    },
    {
      name: 'more than ASCII',
      object: { kind: 'Pöd', metadata: { name: 'ä' } },
      want: '{"kind":"Pöd","metadata":{"resourceVersion":"7","name":"ä"}}',
    },
  ];
  for (const { name, object, want } of cases) {
    test(name, () => expect(serve(encodeStored(object, encodeJson), 7)).toBe(want));
  }

  test('revisions of any size', () => {
    const stored = encodeStored({ metadata: { name: 'a' } }, encodeJson);
    for (const revision of [1, 9, 10, 999, 4_294_967_296, Number.MAX_SAFE_INTEGER]) {
      expect(serve(stored, revision)).toBe(`{"metadata":{"resourceVersion":"${revision}","name":"a"}}`);
    }
  });

  test('the uid is found without decoding, and only that of the object', () => {
    const owners = [{ uid: 'owner', name: '"uid":"text"' }];
    const cases: [object, string | undefined][] = [
      [{ name: 'a', uid: 'one', ownerReferences: owners }, 'one'],
      [{ ownerReferences: owners, labels: { uid: 'label' }, uid: 'two' }, 'two'],
      [{ name: '\\"}{', uid: 'three' }, 'three'],
      [{ ownerReferences: owners }, undefined],
      [{ uid: 'with "quotes"' }, undefined],
      [{ uid: 7 }, undefined],
      [{ uid: 'é' }, undefined],
      [{}, undefined],
    ];
    for (const [metadata, want] of cases) {
      const stored = encodeStored({ kind: 'Pod', metadata, spec: { uid: 'spec' } } as TestObject, encodeJson);
      expect(metadataUid(stored, metadataOffset(stored) as number)).toBe(want);
    }
  });

  test('what begins like it and is none does not pass for it', () => {
    const sound = '{"kind":"Pod","metadata":{"name":"a"}}';
    for (const [value, want] of [
      [sound, sound],
      [sound.slice(0, -1), ` ${sound.slice(0, -1)}`],
      ['nonsense', 'nonsense'],
      ['{"spec":', '{"spec":'],
    ]) {
      const vouched = vouchedValue(Buffer.from(value));
      expect(Buffer.from(vouched).toString()).toBe(want);
    }
    expect(metadataOffset(vouchedValue(Buffer.from(sound.slice(0, -1))))).toBeUndefined();
  });

  test('other layouts are distinguished', () => {
    for (const text of ['', '[]', '{}', '{"spec":{},"metadata":{}}', '{"kind":"Pod', '{"kind":7,"metadata":{}}', '{ "metadata":{}}']) {
      expect(metadataOffset(Buffer.from(text))).toBeUndefined();
    }
  });
});
