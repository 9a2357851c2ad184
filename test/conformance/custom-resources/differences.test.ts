import { beforeAll, expect, test } from '@jest/globals';
import { listedDifferences } from '../../support/listed-differences.ts';
import { type Any, DefinitionFixture, instance, pathOf, version } from './definition-fixture.ts';

/** docs/differences.md: each listed request has the documented response. */

const fixture = DefinitionFixture.forSuite();
const open = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

let crd: Any;
beforeAll(async () => {
  crd = await fixture.define({ versions: [version('v1', { schema: open })] });
  await fixture.ok('POST', pathOf(crd), instance(crd, 'x'));
});

const listed = listedDifferences({ apiVersion: '{apiVersion}', kind: 'Foo' });

test('the document lists requests', () => {
  expect(listed.length).toBeGreaterThan(0);
});

test.each(listed.map((one) => [one.request, one.own, one] as const))('%s is %i', async (_, own, one) => {
  const { method, path, accept, contentType } = one;
  const body = one.body?.replace('{apiVersion}', `${crd.spec.group}/v1`);
  const { client } = fixture.fixture;
  const response = await client.send(method, pathOf(crd) + path, body, contentType, { headers: { accept } });
  expect(response.status).toBe(own);
});
