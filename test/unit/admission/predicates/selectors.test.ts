import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { admittedNamespace, NamespaceMatcher } from '../../../../runtime/admission/predicates/namespace-matcher.ts';
import { matchesObject } from '../../../../runtime/admission/predicates/object-matcher.ts';
import type { Attributes } from '../../../../runtime/machinery/admission.ts';
import type { KubeObject } from '../../../../runtime/machinery/object.ts';
import { everyLabel, labelSelectorFromObject } from '../../../../runtime/machinery/selectors/label-selector.ts';
import { openTestStores, type TestStores } from '../../../support/resource-stores.ts';

let stores: TestStores;
let matcher: NamespaceMatcher;

beforeAll(async () => {
  stores = await openTestStores();
  await (await stores.of('namespaces')).create({ metadata: { name: 'blue', labels: { color: 'blue' } } });
  matcher = new NamespaceMatcher(stores.stores);
  await matcher.start();
});
afterAll(() => stores.close());

const labelled = (color: string): KubeObject => ({ metadata: { labels: { color } } });
const blue = labelSelectorFromObject({ matchLabels: { color: 'blue' } });
const notBlue = labelSelectorFromObject({
  matchExpressions: [{ key: 'color', operator: 'NotIn', values: ['blue'] }],
});

async function attributes(resource: string, written: Partial<Attributes>): Promise<Attributes> {
  const { definition } = await stores.of(resource);
  return { definition, operation: 'CREATE', subresource: '', namespace: '', name: 'one', ...written } as Attributes;
}

describe('a namespaceSelector', () => {
  test.each<[about: string, resource: string, written: Partial<Attributes>, isBlue: boolean, isNotBlue: boolean]>([
    ['labels of the namespace', 'configmaps', { namespace: 'blue' }, true, false],
    ['a namespace without labels', 'configmaps', { namespace: 'default' }, false, true],
    ['an object in no namespace', 'nodes', {}, true, true],
    ['labels that a new namespace will have', 'namespaces', { name: 'x', object: labelled('blue') }, true, false],
    ['labels that a namespace will have', 'namespaces', { operation: 'UPDATE', name: 'blue', object: labelled('red') }, false, true],
    ['labels of a namespace that is deleted', 'namespaces', { operation: 'DELETE', name: 'blue' }, true, false],
    [
      'labels of a namespace whose subresource is written',
      'namespaces',
      { operation: 'UPDATE', subresource: 'status', name: 'blue', object: labelled('red') },
      true,
      false,
    ],
  ])('selects by %s', async (_about, resource, written, isBlue, isNotBlue) => {
    const write = await attributes(resource, written);
    expect([matcher.matches(blue, write), matcher.matches(notBlue, write)]).toEqual([isBlue, isNotBlue]);
  });

  test('of a namespace that does not exist is a 404, unless it selects everything', async () => {
    const write = await attributes('configmaps', { namespace: 'gone' });
    expect(() => matcher.matches(blue, write)).toThrow('namespaces "gone" not found');
    expect(matcher.matches(everyLabel, write)).toBe(true);
  });

  test('sees the name of a namespace as its namespace', async () => {
    expect(admittedNamespace(await attributes('namespaces', { name: 'blue' }))).toBe('blue');
    expect(admittedNamespace(await attributes('configmaps', { namespace: 'green' }))).toBe('green');
    expect(admittedNamespace(await attributes('nodes', {}))).toBe('');
  });
});

describe('an objectSelector', () => {
  const options = { kind: 'PodExecOptions' } as unknown as KubeObject;
  test.each<[about: string, object: KubeObject | undefined, oldObject: KubeObject | undefined, selected: boolean]>([
    ['the new object', labelled('blue'), labelled('red'), true],
    ['the old object', labelled('red'), labelled('blue'), true],
    ['a deleted object', undefined, labelled('blue'), true],
    ['neither object', labelled('red'), labelled('red'), false],
    ['options without metadata', options, undefined, false],
  ])('looks at the labels of %s', (_about, object, oldObject, selected) => {
    const write = { object, oldObject } as Attributes;
    expect(matchesObject(blue, write)).toBe(selected);
    expect(matchesObject(everyLabel, write)).toBe(true);
  });
});
