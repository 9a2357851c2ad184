import { describe, expect, test } from '@jest/globals';
import { emitCatalog } from '../../../../codegen/emit/catalog.ts';
import { emitResources } from '../../../../codegen/emit/resources.ts';
import type { ResourceModel } from '../../../../codegen/model/model.ts';
import { exampleV1, model, widgets } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../../../runtime' };
const emit = (facts: Partial<ResourceModel> = {}): string =>
  emitResources({ ...exampleV1, resources: [{ ...widgets, ...facts }] }, model, context);

describe('columns', () => {
  test('default to name and age', () => {
    const text = emit();
    expect(text).toContain("name: 'Name', type: 'string', format: 'name'");
    expect(text).toContain(
      "description: 'Time since the object was created.', field: 'creationTimestamp', priority: 0, cell: columns.age }",
    );
  });

  const cases: [ResourceModel['columns'][number], string][] = [
    [{ name: 'Size', path: 'spec.size' }, "cell: (object) => object.spec?.size ?? ''"],
    [{ name: 'Size', path: 'spec.size', none: '<none>' }, "cell: (object) => object.spec?.size || '<none>'"],
    [{ name: 'Ready', type: 'integer', path: 'status.ready' }, 'cell: (object) => object.status?.ready ?? 0'],
    [{ name: 'On', type: 'boolean', path: 'spec.on' }, 'cell: (object) => object.spec?.on ?? false'],
    [{ name: 'X', path: 'metadata.labels.a-b' }, "cell: (object) => object.metadata?.labels?.['a-b'] ?? ''"],
    [
      { name: 'Since', type: 'date', path: 'spec.since' },
      'cell: (object, now) => object.spec?.since ? columns.ageOf(object.spec?.since, now) : null',
    ],
    [{ name: 'Y', custom: 'widgetState', priority: 1 }, 'priority: 1, cell: columns.widgetState'],
  ];
  test.each(cases)('%j', (column, want) => {
    expect(emit({ columns: [column] })).toContain(want);
  });
});

test('functions of overlays for another release get objects without their type', () => {
  const resources = [{ ...widgets, columns: [{ name: 'Y', custom: 'widgetState' }] }];
  const text = emitResources({ ...exampleV1, resources }, { ...model, overlaysRelease: 'v0.2' }, context);
  expect(text).toContain('cell: columns.widgetState as never');
});

test('columns and selectable fields know the type of their objects', () => {
  expect(emit()).toContain('const widgetsResource = resourceDefinition<types.Widget>({');
});

test('selectable fields have a value for absent fields', () => {
  const text = emit({ selectableFields: { a: 'spec.a', b: { path: 'b', absent: 'no' }, c: { custom: 'widgetC' } } });
  expect(text).toContain("a: (object) => String(object.spec?.a ?? '')");
  expect(text).toContain("b: (object) => String(object.b ?? 'no')");
  expect(text).toContain('c: selectable.widgetC');
});

describe('conversions', () => {
  const cases: [ResourceModel['conversion'], string][] = [
    [{ kind: 'identity' }, 'conversion: conversion.identity,'],
    [{ kind: 'same-shape' }, "conversion: conversion.sameShape('example.com/v1', 'example.com/v2'),"],
    [{ kind: 'custom', name: 'widgetV1' }, 'conversion: conversion.widgetV1,'],
  ];
  test.each(cases)('%j', (conversion, want) => {
    expect(emit({ conversion, storageVersion: 'v2' })).toContain(want);
  });
});

test('a resource may be stored by another group', () => {
  const text = emit({ storageGroup: '', storageVersion: 'v1', conversion: { kind: 'same-shape' } });
  expect(text).toContain("storageGroup: ''");
  expect(text).toContain("conversion.sameShape('example.com/v1', 'v1')");
});

test('the catalog has the facts, and loads the functions', () => {
  const v3 = new Map([['example.com/v1', { file: 'v3/apis/example.com/v1.json', hash: 'ABC' }]]);
  const text = emitCatalog(model, { v3, v2: 'v2.json' }, context);
  expect(text).toContain("resource: 'widgets'");
  expect(text).toContain("load: async () => (await import('./example.com/v1/resources.ts')).resources,");
  expect(text).toContain("openapi: openapi.v3('v3/apis/example.com/v1.json', 'ABC')");
  expect(text).toContain("loadMeta: async () => (await import('./meta/v1/resources.ts')).types,");
  expect(text).not.toContain('writeRules');
});
