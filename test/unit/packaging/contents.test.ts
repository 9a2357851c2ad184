import { describe, expect, test } from '@jest/globals';
import { Contents } from '../../../packaging/executable/boot/contents.ts';
import { pack } from '../../../packaging/executable/packed.ts';

const files = new Map([
  ['package.json', Buffer.from('{}')],
  ['dist/main.js', Buffer.from('import "./chunks/a.js";')],
  ['dist/chunks/a.js', Buffer.alloc(100_000, 'a')],
]);
const { index, blob } = pack(files);
const contents = new Contents(index, new Uint8Array(blob).buffer);

describe('the contents of an executable', () => {
  test.each([...files])('have %s as it was packed', (path, bytes) => {
    expect(contents.has(path)).toBe(true);
    expect(contents.read(path).equals(bytes)).toBe(true);
  });

  test.each([
    ['', ['dist', 'package.json']],
    ['dist', ['chunks', 'main.js']],
    ['dist/chunks', ['a.js']],
    ['dist/main.js', undefined],
    ['lib', undefined],
  ])('list the folder %j', (folder, names) => {
    expect(contents.list(folder)).toEqual(names);
  });

  test('are the same bytes for the same files in any order', () => {
    const again = pack(new Map([...files].reverse()));
    expect(again.blob.equals(blob)).toBe(true);
    expect(JSON.stringify(again.index)).toBe(JSON.stringify(index));
  });
});
