import type {
  ApiModel,
  FieldModel,
  GroupVersionModel,
  ResourceModel,
  ScalarName,
  SpecialName,
  TypeModel,
  TypeRef,
} from '../../../codegen/model/model.ts';

export const scalar = (name: ScalarName): TypeRef => ({ kind: 'scalar', name });
export const special = (name: SpecialName): TypeRef => ({ kind: 'special', name });
export const message = (id: string): TypeRef => ({ kind: 'message', id });
export const list = (of: TypeRef): TypeRef => ({ kind: 'list', of });
export const map = (of: TypeRef): TypeRef => ({ kind: 'map', of });

export function field(json: string, type: TypeRef, facts: Partial<FieldModel> = {}): FieldModel {
  return {
    json,
    type,
    goType: '',
    pointer: false,
    omitEmpty: true,
    omitZero: false,
    required: false,
    markers: [],
    ...facts,
  };
}

export function type(folder: string, name: string, fields: FieldModel[], facts: Partial<TypeModel> = {}): TypeModel {
  return { id: `${folder}.${name}`, name, folder, fields, defaults: [], rules: [], ...facts };
}

const gvk = (kind: string) => ({ group: 'example.com', version: 'v1', kind });

export const objectMeta = type('meta/v1', 'ObjectMeta', [field('name', scalar('string')), field('labels', map(scalar('string')))]);
const listMeta = type('meta/v1', 'ListMeta', [field('resourceVersion', scalar('string'))]);

const port = type('example.com/v1', 'Port', [
  field('number', scalar('int32'), { required: true }),
  field('protocol', scalar('string'), { enum: ['TCP', 'UDP'], default: 'TCP' }),
]);
const spec = type('example.com/v1', 'WidgetSpec', [
  field('size', special('Quantity')),
  field('target', special('IntOrString')),
  field('ports', list(message(port.id)), {
    listType: 'map',
    listMapKeys: ['number', 'protocol'],
    patchStrategy: 'merge',
    patchMergeKey: 'number',
  }),
  field('args', list(scalar('string'))),
  field('x-raw', special('RawExtension')),
  field('children', map(message('example.com/v1.WidgetSpec')), { mapType: 'atomic' }),
  field('strategy', message(port.id), { patchStrategy: 'retainKeys' }),
]);
const widget = type(
  'example.com/v1',
  'Widget',
  [
    field('apiVersion', scalar('string')),
    field('kind', scalar('string')),
    field('metadata', message(objectMeta.id)),
    field('spec', message(spec.id)),
  ],
  { gvk: gvk('Widget') },
);
const widgetList = type(
  'example.com/v1',
  'WidgetList',
  [
    field('apiVersion', scalar('string')),
    field('kind', scalar('string')),
    field('metadata', message(listMeta.id)),
    field('items', list(message(widget.id)), { required: true }),
  ],
  { gvk: gvk('WidgetList') },
);

export const widgets: ResourceModel = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  namespaced: true,
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  shortNames: ['wd'],
  categories: ['all'],
  type: widget.id,
  stored: true,
  storageVersion: 'v1',
  resourcePrefix: 'example.com/widgets',
  subresources: [
    { name: 'status', gvk: gvk('Widget'), verbs: ['get', 'patch', 'update'], connect: false },
    { name: 'exec', gvk: gvk('WidgetExecOptions'), verbs: [], connect: true },
  ],
  operations: [],
  writeRules: {
    createOnUpdate: false,
    unconditionalUpdate: true,
    generation: true,
    statusFields: ['status'],
    nameRule: 'dns-subdomain',
  },
  columns: [],
  selectableFields: { 'spec.size': 'spec.size', 'spec.mode': { path: 'spec.mode', absent: 'off' } },
  conversion: { kind: 'identity' },
};

export const metaV1: GroupVersionModel = {
  group: '',
  version: 'v1',
  folder: 'meta/v1',
  served: false,
  types: [objectMeta, listMeta],
  resources: [],
};

export const exampleV1: GroupVersionModel = {
  group: 'example.com',
  version: 'v1',
  folder: 'example.com/v1',
  served: true,
  types: [widget, widgetList, spec, port],
  resources: [widgets],
};

/** A group of one kind, with the required part of meta/v1. */
export const model: ApiModel = {
  release: 'v0.1',
  groupVersions: [exampleV1, metaV1],
  types: new Map([...exampleV1.types, ...metaV1.types].map((each) => [each.id, each])),
  operations: [],
};
