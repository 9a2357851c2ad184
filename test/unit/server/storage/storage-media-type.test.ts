import { describe, expect, test } from '@jest/globals';
import { storageMediaType } from '../../../../runtime/server/storage/storage-media-type.ts';

describe('--storage-media-type', () => {
  test.each([
    [undefined, 'application/vnd.kubernetes.protobuf'],
    ['', 'application/json'],
    ['application/yaml', 'application/yaml'],
  ])('%j is %s', (text, want) => expect(storageMediaType({ storageMediaType: text })).toBe(want));

  test("refuses all others in kube-apiserver's words", () => {
    expect(() => storageMediaType({ storageMediaType: 'application/cbor' })).toThrow(
      '--storage-media-type "application/cbor" invalid, allowed values: application/json, application/vnd.kubernetes.protobuf, application/yaml',
    );
  });
});
