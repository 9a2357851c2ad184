import { describe, expect, test } from '@jest/globals';
import { DetachedObject } from '../../../../runtime/storage/object-store/detached-object.ts';

function detached(json: string): DetachedObject {
  const names = { namespace: 'default', name: 'a', uid: 'u' };
  return new DetachedObject({
    ...names,
    revision: 7,
    createRevision: 3,
    labels: { app: 'web' },
    fields: { 'metadata.name': 'a' },
    changesWhenRead: false,
    json: Buffer.from(json),
  });
}

describe('an object that holds its own JSON', () => {
  const json = '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"7"}}';

  test('writes it as an object and as an item of a list', () => {
    const object = detached(json);
    const target = Buffer.alloc(2 * json.length);
    expect(object.writeItem(target, object.writeJson(target, 0))).toBe(object.jsonLength + object.itemLength);
    expect(target.toString()).toBe(json + json);
  });

  test('decodes again on each call', () => {
    const object = detached(json);
    expect(object.decode()).toEqual(JSON.parse(json));
    expect(object.decode()).not.toBe(object.decode());
    expect(object.metadata()).toEqual({ name: 'a', resourceVersion: '7' });
  });

  test('finds text in it', () => {
    expect([detached(json).mentions(Buffer.from('Pod')), detached(json).mentions(Buffer.from('Node'))]).toEqual([true, false]);
  });

  test('fails to decode other bytes with `corrupt`', () => {
    expect(() => detached('{"kind":').decode()).toThrow(expect.objectContaining({ code: 'corrupt' }));
    expect(() => detached('{"kind":').metadata()).toThrow(expect.objectContaining({ code: 'corrupt' }));
  });

  test('caches no encodings', () => {
    let calls = 0;
    const encode = (): Uint8Array => new Uint8Array([++calls]);
    const object = detached(json);
    expect([object.cacheEncode('cbor', encode), object.cacheEncode('cbor', encode)].map(([byte]) => byte)).toEqual([1, 2]);
  });
});
