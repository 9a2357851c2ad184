import { expect, test } from '@jest/globals';
import { resources } from '../../../../generated/v1.35/core/v1/resources.ts';
import { bookmarkObject } from '../../../../runtime/endpoints/encodings/bookmark.ts';
import { elementAt } from '../../../../runtime/machinery/collections/element-at.ts';

const definition = elementAt(resources, 0);

test.each([
  ['without annotations', {}, false, '{"resourceVersion":"7"}'],
  ['at the end of the initial events', {}, true, '{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}'],
  ['of an annotated kind', { annotations: { a: 'b' } }, false, '{"resourceVersion":"7","annotations":{"a":"b"}}'],
  [
    'of an annotated kind, at the end',
    { annotations: { a: 'b' } },
    true,
    '{"resourceVersion":"7","annotations":{"a":"b","k8s.io/initial-events-end":"true"}}',
  ],
])('the metadata of a bookmark %s has the order of Go', (_, metadata, endsInitialEvents, want) => {
  const object = bookmarkObject(definition, { revision: 7, endsInitialEvents, emptyObject: { metadata } });
  expect(JSON.stringify(object.metadata)).toBe(want);
  expect(Object.keys(object).slice(0, 3)).toEqual(['kind', 'apiVersion', 'metadata']);
});
