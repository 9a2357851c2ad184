import { describe, expect, test } from '@jest/globals';
import type { ApiModel, TypeModel } from '../../../../codegen/model/model.ts';
import { recursiveTypes, typesContaining, typesWithFunctions } from '../../../../codegen/model/type-graph.ts';
import { exampleV1, field, list, map, message, metaV1, model, scalar, type } from '../model-fixture.ts';

const namesOf = (types: readonly TypeModel[]): string[] => types.map(({ name }) => name);

describe('functions are generated', () => {
  test('for the types that resources contain, not for lists of resources', () => {
    expect(namesOf(typesWithFunctions(exampleV1, model))).toEqual(['Widget', 'WidgetSpec', 'Port']);
    expect(namesOf(typesWithFunctions(metaV1, model))).toEqual(['ObjectMeta']);
  });

  test('for the kinds of unserved packages', () => {
    const status = type('meta/v1', 'Status', [], { gvk: { group: '', version: 'v1', kind: 'Status' } });
    const meta = { ...metaV1, types: [...metaV1.types, status] };
    const withStatus: ApiModel = {
      ...model,
      groupVersions: [exampleV1, meta],
      types: new Map([...model.types, [status.id, status]]),
    };
    expect(namesOf(typesWithFunctions(meta, withStatus))).toEqual(['ObjectMeta', 'Status']);
  });
});

const tree = type('example.com/v1', 'Tree', [field('children', list(message('example.com/v1.Tree')))]);
const leaf = type('example.com/v1', 'Leaf', [field('name', scalar('string'))]);
const root = type('example.com/v1', 'Root', [field('trees', map(message(tree.id))), field('leaf', message(leaf.id))]);
const forest: ApiModel = { ...model, types: new Map([tree, leaf, root].map((each) => [each.id, each])) };

test('types contain others through lists and maps', () => {
  expect([...typesContaining(forest, ({ name }) => name === 'Tree')].sort()).toEqual([root.id, tree.id].sort());
});

test('types that contain themselves are recursive, their parents are not', () => {
  expect([...recursiveTypes(forest)]).toEqual([tree.id]);
});
