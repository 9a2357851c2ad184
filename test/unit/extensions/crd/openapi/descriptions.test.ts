import { expect, test } from '@jest/globals';
import { embeddedDescription } from '../../../../../runtime/extensions/crd/openapi/descriptions.ts';

test.each([
  ['apiVersion', 'APIVersion is a version. Servers may convert. More info: a.b/c#d', 'apiVersion is a version. More info: a.b/c#d'],
  [
    'kind',
    'Kind names the REST resource of this object. Never updated. In CamelCase. More info: a.b',
    'kind names the type of this object. In CamelCase. More info: a.b',
  ],
])('the description of %s is shorter in embedded resources', (field, text, want) => {
  expect(embeddedDescription(field, text)).toBe(want);
});
