import { expect, test } from '@jest/globals';
import type { ListedObject } from '../../../../runtime/testkit/history/exact-list.ts';
import { writerOf } from '../../../../runtime/testkit/history/writer.ts';

const entry = (manager: string, time: string | undefined, ...fields: string[]) => ({
  manager,
  operation: 'Update',
  ...(time && { time }),
  fieldsV1: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
});
const object = (...managedFields: object[]) => ({ metadata: { name: 'x', managedFields } }) as unknown as ListedObject;

test.each([
  ['the only manager', object(entry('a', '1', 'x')), undefined, ['a'], '1'],
  ['one with a newer time', object(entry('a', '2', 'x')), object(entry('a', '1', 'x')), ['a'], '2'],
  [
    'who takes a field from another',
    object(entry('a', '1', 'x'), entry('b', undefined, 'y')),
    object(entry('a', '1', 'x', 'y')),
    ['b'],
    undefined,
  ],
  ['who gives up a field', object(entry('a', '1', 'x')), object(entry('a', '1', 'x', 'y')), ['a'], '1'],
  ['nobody', object(entry('a', '1', 'x')), object(entry('a', '1', 'x')), [], undefined],
])('%s wrote the object', (_, written, previous, managers, time) => {
  expect(writerOf(written, previous)).toMatchObject({ managers, time });
});
