import { describe, expect, test } from '@jest/globals';
import { runtimeNames } from '../../../../codegen/print/symbols.ts';

/* Types are checked where generated code is compiled. */

describe('the runtime has the values that generated code may use', () => {
  const files = Object.entries(runtimeNames).map(([file, names]) => [file, names.filter((name) => !name.startsWith('type '))] as const);

  test.each(files.filter(([, names]) => names.length > 0))('%s exports %j', async (file, names) => {
    const module = await import(`../../../../runtime/${file}`);
    expect(Object.keys(module)).toEqual(expect.arrayContaining([...names]));
  });
});
