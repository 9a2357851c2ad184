import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { NameSet } from '../../../../runtime/extensions/crd/controllers/accepted-names.ts';
import { calculateAPIApprovalCondition } from '../../../../runtime/extensions/crd/controllers/api-approval.ts';
import { restoreObjectMeta } from '../../../../runtime/extensions/crd/conversion/restore-object-meta.ts';
import { toStructuralOpenAPIV2 } from '../../../../runtime/extensions/crd/openapi/v2-conversion.ts';
import { SchemaHistory, WritesInFlight } from '../../../../runtime/extensions/crd/serving/schema-history.ts';

describe('taken names', () => {
  test('are free when everybody who took them gave them back', () => {
    const names = new NameSet();
    names.add(['a', 'b', 'a']);
    names.delete(['a', 'b']);
    expect([names.has('a'), names.has('b')]).toEqual([true, false]);
    names.delete(['a', 'c']);
    expect(names.has('a')).toBe(false);
  });
});

describe('approval of definitions in protected groups', () => {
  const judged = (group: string, annotation?: string) => {
    const annotations = annotation === undefined ? undefined : { 'api-approved.kubernetes.io': annotation };
    const crd = { metadata: { annotations }, spec: { group } } as unknown as CustomResourceDefinition;
    return calculateAPIApprovalCondition(crd)?.reason;
  };
  test.each([
    ['example.com', undefined, undefined],
    ['notk8s.io', undefined, undefined],
    ['k8s.io', undefined, 'MissingAnnotation'],
    ['x.k8s.io', '', 'MissingAnnotation'],
    ['x.kubernetes.io', 'unapproved, for now', 'UnapprovedAnnotation'],
    ['x.k8s.io', 'https://github.com/kubernetes/kubernetes/pull/1', 'ApprovedAnnotation'],
    ['x.k8s.io', 'yes', 'InvalidAnnotation'],
  ])('%s with %j: %s', (group, annotation, reason) => {
    expect(judged(group, annotation)).toBe(reason);
  });
});

describe('the age of stored bytes', () => {
  test('is told by the newest change of the schema', () => {
    const history = new SchemaHistory(5, () => 9);
    expect(history.changedAt).toBe(5);
    history.changed(8);
    history.changed(7);
    expect(history.changedAt).toBe(8);
  });

  test('is open while a definition that was replaced is being written by', async () => {
    const history = new SchemaHistory(5, () => 9);
    const writes = new WritesInFlight();
    let finish = (): void => {};
    const write = writes.run(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    writes.retire(history);
    history.changed(6);
    expect(history.changedAt).toBe(Number.POSITIVE_INFINITY);
    finish();
    await write;
    expect(history.changedAt).toBe(9);
  });

  test('is not when nothing is under way', () => {
    const history = new SchemaHistory(5, () => 9);
    new WritesInFlight().retire(history);
    expect(history.changedAt).toBe(5);
  });
});

describe('the metadata of converted objects', () => {
  const original = { metadata: { name: 'a', uid: 'u', labels: { old: 'x' }, finalizers: ['f'] } };
  const restored = (metadata: unknown) => {
    const converted = { metadata } as never;
    return restoreObjectMeta(original, converted) ?? (converted as { metadata: unknown }).metadata;
  };
  test.each<[string, unknown, unknown]>([
    [
      'its own but for labels and annotations',
      { labels: { new: 'y' }, uid: 'other' },
      { name: 'a', uid: 'u', labels: { new: 'y' }, finalizers: ['f'] },
    ],
    ['without labels where there are none', {}, { name: 'a', uid: 'u', finalizers: ['f'] }],
    ['missing', undefined, 'missing metadata in converted object'],
    ['a list', [], 'invalid metadata of type []interface {} in converted object'],
    ['labels that are a text', { labels: 'x' }, 'invalid metadata.labels of type string in converted object'],
    [
      'a label that is a number',
      { labels: { a: 1.5 } },
      'metadata.labels[a] must be a string, but is float64 in converted object',
    ],
  ])('%s', (_name, metadata, want) => {
    expect(restored(metadata)).toEqual(want);
  });

  test('labels that are none are refused, unless they were there before', () => {
    expect(restored({ labels: { 'a b': 'x' } })).toContain('metadata.labels: Invalid value: "a b"');
    const bad = { metadata: { labels: { 'a b': 'x' } } };
    expect(restoreObjectMeta(bad, structuredClone(bad))).toBeUndefined();
  });
});

describe('schemas in OpenAPI 2', () => {
  test.each([
    ['lose alternatives', { type: 'object', anyOf: [{}], not: {} }, { type: 'object' }],
    ['lose the type of what may be null', { type: 'object', nullable: true, properties: { a: {} } }, {}],
    [
      'say nothing of what keeps unknown fields',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} }, description: 'd' },
      { 'x-kubernetes-preserve-unknown-fields': true, description: 'd' },
    ],
    ['have no lists without items', { type: 'array' }, {}],
    [
      'do not require what may be null',
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
      },
      { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
    ],
  ])('%s', (_name, schema, want) => {
    expect(toStructuralOpenAPIV2(schema)).toEqual(want);
  });
});
