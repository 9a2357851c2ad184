import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, instance, pathOf, version } from './definition-fixture.ts';

/**
 * An object of another kind is neither pruned nor checked against the schema, but its embedded resources, lists and
 * rules are. The responses are those of apiextensions-apiserver.
 */

const fixture = DefinitionFixture.forSuite();
const merge = 'application/merge-patch+json';

const spec = {
  type: 'object',
  required: ['needed'],
  properties: {
    needed: { type: 'integer' },
    ruled: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 5' }] },
    replicas: { type: 'integer' },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
    embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };

let crd: Any;
let path: string;
beforeAll(async () => {
  crd = await fixture.define({ versions: [version('v1', { schema, subresources: { status: {}, scale } })] });
  await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { needed: 1 } }));
  path = `${pathOf(crd)}/x`;
});

const wrongKind = 'kind: Invalid value: "Other": must be Foo';
const failedRule = 'spec.ruled: Invalid value: 7: failed rule: self < 5';
const label =
  "metadata.labels: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const unchecked =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const messageOf = (name: string, errors: readonly string[]): string =>
  `Other.${crd.spec.group} "${name}" is invalid: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`;

describe('a new object', () => {
  test.each<[object, object, string[]]>([
    [{}, {}, []],
    [{ needed: 'x', unknown: 1, replicas: -1 }, { labels: { '-': 'x' } }, []],
    [{ ruled: 7 }, {}, [failedRule]],
    [{ ruled: 'x' }, {}, ['spec.ruled: Invalid value: "integer": invalid data, expected int, got string evaluating rule: self < 5']],
    [
      { set: [1, 1], embedded: { kind: 'P' }, ruled: 7 },
      {},
      ['spec.embedded.apiVersion: Required value', 'spec.set[1]: Duplicate value: 1', unchecked],
    ],
    [
      { embedded: { apiVersion: 'v1', kind: 'P', metadata: { labels: 5 } } },
      {},
      [
        'spec.embedded.metadata: Invalid value: {"labels":5}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
      ],
    ],
  ])('with spec %j and metadata %j', async (wrong, metadata, want) => {
    const object = instance(crd, 'y', { spec: wrong });
    const body = { ...object, kind: 'Other', metadata: { ...object.metadata, ...metadata } };
    const response = await fixture.send('POST', `${pathOf(crd)}?fieldValidation=Strict`, body);
    expect([response.status, response.json.message]).toEqual([422, messageOf('y', [wrongKind, ...want])]);
  });
});

describe('an object that becomes another kind', () => {
  test.each<[object, string[]]>([
    [{ kind: 'Other', spec: { ruled: 7, needed: null } }, [wrongKind, failedRule]],
    [{ kind: 'Other', metadata: { labels: { '-': 'x' } } }, [label, wrongKind]],
  ])('by %j', async (patch, want) => {
    const response = await fixture.send('PATCH', path, patch, merge);
    expect([response.status, response.json.message]).toEqual([422, messageOf('x', want)]);
  });

  test('and has no schema at a version that does not exist', async () => {
    const { group } = crd.spec;
    const patch = { apiVersion: `${group}/v2` };
    const response = await fixture.send('PATCH', `${path}?fieldValidation=Strict`, patch, merge);
    expect(response.json.message).toMatch(/: strict decoding error: unknown field "spec"$/);
    const unchecked = await fixture.send('PATCH', path, patch, merge);
    expect(unchecked.json.message).toBe(`Foo.${group} "x" is invalid: apiVersion: Invalid value: "${group}/v2": must be ${group}/v1`);
  });

  test('keeps its kind and its metadata in a write of the status', async () => {
    const before = await fixture.ok('GET', path);
    const patch = { kind: 'Other', metadata: { uid: 'x', deletionGracePeriodSeconds: 4, labels: { '-': 'x' } } };
    expect(await fixture.ok('PATCH', `${path}/status`, patch, merge)).toEqual(before);
  });
});
