import { describe, expect, test } from '@jest/globals';
import { emitClient } from '../../../../codegen/emit/client.ts';
import type { ResourceModel } from '../../../../codegen/model/model.ts';
import { exampleV1, model, widgets } from '../model-fixture.ts';

const context = { header: '', runtime: '../../../../runtime' };

const emit = (facts: Partial<ResourceModel> = {}): string =>
  emitClient({ ...exampleV1, resources: [{ ...widgets, ...facts }] }, model, context);

const scale = {
  name: 'scale',
  gvk: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  verbs: ['get', 'update'],
  connect: false,
} as const;

describe('a resource becomes a field', () => {
  test('typed with its objects and lists, and whether they have a status', () => {
    expect(emit()).toContain("readonly widgets = this.namespaceScoped(StatusClient<types.Widget, types.WidgetList>, 'widgets', 'Widget');");
    expect(emit({ subresources: [] })).toContain('this.namespaceScoped(ResourceClient<types.Widget, types.WidgetList>');
  });

  test('without its list kind if there is no such type', () => {
    expect(emit({ listKind: 'Missing' })).toContain('(StatusClient<types.Widget>,');
  });

  test('of a cluster-scoped resource has no namespaces', () => {
    expect(emit({ namespaced: false })).toContain('readonly widgets = this.clusterScoped(');
  });

  test('with only the methods of its verbs', () => {
    const client = 'ResourceClient<types.Widget, types.WidgetList>';
    expect(emit({ verbs: ['get', 'patch'], subresources: [] })).toContain(
      `readonly widgets: NamespacedVerbs<${client}, 'get' | 'patch' | 'apply'> = this.namespaceScoped(`,
    );
    expect(emit({ verbs: ['create'], subresources: [], namespaced: false })).toContain(
      `readonly widgets: Pick<${client}, 'create'> = this.clusterScoped(`,
    );
    expect(emit({ verbs: ['get'] })).toContain("'get' | 'getStatus' | 'updateStatus' | 'patchStatus'>");
  });
});

describe('subresources other than status', () => {
  test('get methods in a separate class', () => {
    const text = emit({ subresources: [...widgets.subresources, scale] });
    expect(text).toContain('export class WidgetClient extends StatusClient<types.Widget, types.WidgetList> {');
    expect(text).toContain('updateScale(object: types.Widget, options?: WriteOptions): Promise<types.Widget> {');
    expect(text).not.toContain('patchScale');
    expect(text).toContain('this.namespaceScoped(WidgetClient, ');
  });

  test('unless clients connect to them', () => {
    expect(emit()).not.toContain('Exec');
  });

  test('do not take the name of another class', () => {
    const text = emit({ kind: 'Status', subresources: [scale] });
    expect(text).toContain('export class StatusKindClient extends ResourceClient<');
  });
});
