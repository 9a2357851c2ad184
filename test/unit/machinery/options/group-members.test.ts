import { describe, expect, test } from '@jest/globals';
import { testing } from '../../../../generated/testing/index.ts';
import { startServer } from '../../../../runtime/index.ts';
import { requireResources } from '../../../../runtime/machinery/options/group-members.ts';

describe('what is given for resources of a group', () => {
  test.each<[given: unknown, want: string | undefined]>([
    [{}, undefined],
    [{ books: {} }, undefined],
    [{ books: undefined }, undefined],
    [{ boks: {} }, 'unknown option "strategies.boks": did you mean "books"?'],
    [{ shelfs: {} }, 'unknown option "strategies.shelfs"'],
    [{ books: 7 }, 'option "strategies.books": 7 is not an object'],
    [7, 'option "strategies": 7 is not an object'],
    [null, 'option "strategies": null is not an object'],
  ])('%j', (given, want) => {
    const check = () => requireResources('strategies', given as object, ['books', 'racks']);
    if (want === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(want);
  });

  test('the function of a generated group refuses a misspelt resource, and the server a misspelt hook', async () => {
    expect(() => testing({ faultplan: {} } as never)).toThrow('did you mean "faultplans"?');
    const group = testing({ faultplans: { vaildate: () => [] } } as never);
    await expect(startServer({ groups: [group] })).rejects.toThrow(
      'unknown option "groups[0].strategies.faultplans.testing.kubeloom.dev.vaildate": did you mean "validate"?',
    );
  });
});
