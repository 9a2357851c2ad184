import { describe, expect, test } from '@jest/globals';
import { MappedPages } from '../../../../runtime/storage/lmdb/mapped-pages.ts';

describe('mapped pages', () => {
  test('are those added since the file was opened', () => {
    let mapped = 100;
    const pages = new MappedPages(() => mapped);
    expect(pages.growth).toBe(0);
    mapped = 130;
    expect(pages.growth).toBe(30);
    pages.opened();
    expect(pages.growth).toBe(0);
    mapped = 110;
    expect(pages.growth).toBe(0);
  });

  test('are none if the system does not report them', () => {
    const pages = new MappedPages(() => undefined);
    pages.opened();
    expect(pages.growth).toBe(0);
  });
});
