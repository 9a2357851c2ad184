import { describe, expect, test } from '@jest/globals';
import { emitClient, emitClientEntry } from '../../../../codegen/emit/client.ts';
import { exampleV1, model, widgets } from '../emit-fixture.ts';

const context = { header: '', runtime: '../../../../runtime' };

describe('a client', () => {
  const text = emitClient(exampleV1, model, context);

  test('has a method a verb', () => {
    for (const method of [
      'get(',
      'list(',
      'watch(',
      'create(',
      'update(',
      'patch(',
      'apply(',
      'delete(',
      'deleteCollection(',
    ])
      expect(text).toContain(`    ${method}`);
    const readOnly = emitClient(
      { ...exampleV1, resources: [{ ...widgets, verbs: ['get'], subresources: [] }] },
      model,
      context,
    );
    expect(readOnly).toContain('    get(');
    expect(readOnly).not.toContain('    create(');
    expect(readOnly).not.toContain('ListOptions');
  });

  test('lists and watches across namespaces, and writes in one', () => {
    const across = text.slice(text.indexOf('class WidgetClient'));
    expect(across).toContain('namespace(namespace: string): NamespacedWidgetClient');
    expect(across).toContain('list(options?: ListOptions): Promise<types.WidgetList>');
    expect(across).not.toContain('create(');
  });

  test('has methods for subresources, but for those that are connected to', () => {
    expect(text).toContain('updateStatus(object: types.Widget, options?: WriteOptions): Promise<types.Widget>');
    expect(text).not.toContain('Exec');
  });

  test('of a cluster-wide resource needs no namespace', () => {
    const cluster = emitClient({ ...exampleV1, resources: [{ ...widgets, namespaced: false }] }, model, context);
    expect(cluster).not.toContain('namespace(');
    expect(cluster).toContain('create(object: types.Widget');
  });
});

test('the entry reaches each group-version by its names', () => {
  const text = emitClientEntry(model, context);
  expect(text).toContain('get example(): ExampleGroup');
  expect(text).toContain('get v1(): ExampleV1Client');
  expect(text).toContain('export function createClient(options: ClientOptions): Client');
  expect(text).not.toContain('meta/v1');
});
