import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, instance, pathOf, version } from './definition-fixture.ts';

/** docs/differences.md: each listed request is answered as the document says. */

const text = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
const listed = text
  .slice(text.indexOf('## Kubeloom is better on purpose'))
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2).split(' | '));

const fixture = DefinitionFixture.forSuite();
const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const merge = 'application/merge-patch+json';
const ops = 'application/json-patch+json';

let crd: Any;
let at: string;
beforeAll(async () => {
  crd = await fixture.define({ versions: [version('v1', { schema: open })] });
  await fixture.ok('POST', pathOf(crd), instance(crd, 'x'));
  at = `${pathOf(crd)}/x`;
});

const list = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const sent: Readonly<Record<string, () => Promise<Any>>> = {
  '`GET {objects}/x?resourceVersion=abc`': () => fixture.get(at, { resourceVersion: 'abc' }),
  '`GET {objects}?watch=true&resourceVersion=abc`': () =>
    fixture.get(pathOf(crd), { watch: 'true', resourceVersion: 'abc' }),
  '`GET {objects}/x` accepting PartialObjectMetadataList': () => fixture.get(at, {}, list),
  '`PATCH {objects}/x` merge `{"apiVersion":null}`': () => fixture.send('PATCH', at, '{"apiVersion":null}', merge),
  '`PATCH {objects}/x` apply `"metadata":"x"`': () => {
    const { apiVersion, kind } = instance(crd, 'x');
    const config = { apiVersion, kind, metadata: 'x' };
    return fixture.send('PATCH', `${at}?fieldManager=t`, config, 'application/apply-patch+yaml');
  },
  '`PATCH {objects}/x` JSON patch `[{"op":"replace","path":""}]`': () =>
    fixture.send('PATCH', at, '[{"op":"replace","path":""}]', ops),
  '`PATCH {objects}/x` JSON patch `[{"op":"test","path":""}]`': () =>
    fixture.send('PATCH', at, '[{"op":"test","path":""}]', ops),
};

const statuses = listed.map(([request, , ours]): [string, number] => [
  request,
  Number(/^\d+/.exec(ours)?.[0] ?? (ours.startsWith('the same') ? /\d+/.exec(ours)?.[0] : Number.NaN)),
]);

test('every request of the document is sent here', () => {
  expect(listed.map(([request]) => request)).toEqual(Object.keys(sent));
});

test.each(statuses)('%s is %i', async (request, status) => {
  expect((await sent[request]()).status).toBe(status);
});
