import { expect, test } from '@jest/globals';
import { isShortened, nameIn } from './causes.ts';

test.each([
  ['value: {"a":"xyz","b":"xyz"}: wrong', 'value: {"a":... (21 bytes): wrong', true],
  ['value: "xxxxxxxxxxxxxxxxxxxxxxx": wrong', 'value: "xx"... (23 bytes): wrong', true],
  ['[a: {"b":1234567890123456}, c: [1,2,3,4,5,6,7,8,9,10]]', '[a: {"b":... (1 members), c: [1,2... (10 items)]', true],
  ['value: {"a":"xyz","b":"xyz"}: wrong', 'value: {"a":... (12 bytes): other', false],
  ['value: {"b":"xyz","b":"xyz"}: wrong', 'value: {"a":... (12 bytes): wrong', false],
  ['value: {"a":"xyz"}: wrong', 'value: {"a":"xyz"}: wrong', false],
  [
    String.raw`"{\"uid\":\"<uid>\",\"a\":\"xyzxyzxyzxyzxyzxyz\"}": wrong`,
    String.raw`"{\"uid\":\"b6341424-fe89-"... (70 bytes): wrong`,
    true,
  ],
  ['short', 'short... (12 bytes)', false],
])('of %j, %j shows the same but for what is cut: %j', (reference, own, want) => {
  expect(isShortened(reference, own)).toBe(want);
});

test.each([
  ['GET /apis/G/v1/namespaces/N/foxes/a1', 'a1'],
  ['PATCH /apis/G/v1/foxes/a1/status?dryRun=All', 'a1'],
  ['GET /apis/G/v1/namespaces/N/foxes?limit=2', undefined],
  ['GET /apis/G/v1/foxes', undefined],
])('the object of %s is %s', (request, name) => {
  expect(nameIn(request)).toBe(name);
});
