import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { emitAll } from '../../codegen/emit/index.ts';
import { readOpenApiFile } from '../../codegen/import/openapi-file.ts';
import { readProtoFolder } from '../../codegen/import/proto-folder.ts';
import type { ImportSource } from '../../codegen/import/source.ts';
import { normaliseSource, writeSchemas } from '../../codegen/import/write-schemas.ts';
import { loadModel } from '../../codegen/load/load-model.ts';
import type { AnyConverter, ApiGroup } from '../../runtime/machinery/api-group.ts';
import { temporaryFolder } from './generated-project.ts';

const group = 'shop.example.com';
export const widgetVersions = ['v1', 'v1beta1', 'v1alpha1'] as const;
export type WidgetVersion = (typeof widgetVersions)[number];

/** The path of the widgets of the namespace default, of one of them, or below one. */
export const widgetPath = (version: string, name = '', rest = ''): string =>
  `/apis/${group}/${version}/namespaces/default/widgets${name && `/${name}`}${rest}`;

export const widget = (version: string, name: string, spec: object): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec,
});

const integer = { type: 'integer' };
const length = { type: 'integer', minimum: 0 };
const text = { type: 'string' };
const number = '(0|[1-9][0-9]*)';
const specs = {
  v1: {
    required: ['width', 'height'],
    properties: { width: length, height: { ...length, default: 1 }, replicas: integer },
  },
  v1beta1: { required: ['size'], properties: { size: { ...text, pattern: `^${number}x${number}$` }, count: integer } },
  v1alpha1: {
    required: ['dims'],
    properties: { dims: { type: 'array', items: length, minItems: 2, maxItems: 2 }, count: integer },
  },
};
const statuses = {
  v1: { phase: text, replicas: integer },
  v1beta1: { state: text, ready: integer },
  v1alpha1: { state: text, ready: integer },
};

const widgetSchema = (version: WidgetVersion): object => ({
  type: 'object',
  required: ['spec'],
  properties: {
    spec: { type: 'object', ...specs[version] },
    status: { type: 'object', properties: statuses[version] },
  },
  'x-kubernetes-group-version-kind': [{ group, version, kind: 'Widget' }],
  'x-kubeloom-resource': { subresources: ['status', 'scale'] },
});

const meta = 'k8s.io.apimachinery.pkg.apis.meta.v1';
const fields = {
  v1: ['optional int64 width = 1', 'optional int64 height = 2', 'optional int64 replicas = 3'],
  v1beta1: ['optional string size = 1', 'optional int64 count = 4'],
  v1alpha1: ['repeated int64 dims = 1', 'optional int64 count = 2'],
};
const statusFields = {
  v1: ['optional string phase = 1', 'optional int64 replicas = 2'],
  v1beta1: ['optional string state = 2', 'optional int64 ready = 1'],
  v1alpha1: ['optional string state = 2', 'optional int64 ready = 1'],
};
const message = (name: string, all: readonly string[]): string => `message ${name} {\n${all.map((each) => `  ${each};\n`).join('')}}\n`;

/** The messages of a version, which say the same as its schemas but for their rules. */
const proto = (version: WidgetVersion): string =>
  [
    `syntax = "proto3";\npackage com.example.shop.${version};\nimport "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";\n`,
    message('Widget', [`${meta}.ObjectMeta metadata = 1`, 'WidgetSpec spec = 2', 'WidgetStatus status = 3']),
    message('WidgetSpec', fields[version]),
    message('WidgetStatus', statusFields[version]),
  ].join('');

/** The overlay of a version: its columns, selectable fields and scale paths. */
const overlays: Readonly<Record<WidgetVersion, object>> = {
  v1: {
    selectableFields: { 'spec.width': 'spec.width' },
    scale: { specReplicas: 'spec.replicas', statusReplicas: 'status.replicas' },
    columns: [
      { name: 'Name', path: 'metadata.name' },
      { name: 'Width', type: 'integer', path: 'spec.width' },
    ],
  },
  v1beta1: {
    selectableFields: { 'spec.size': 'spec.size' },
    scale: { specReplicas: 'spec.count', statusReplicas: 'status.ready' },
    columns: [
      { name: 'Name', path: 'metadata.name' },
      { name: 'Size', type: 'string', path: 'spec.size' },
    ],
  },
  v1alpha1: {
    scale: { specReplicas: 'spec.count', statusReplicas: 'status.ready' },
  },
};

// biome-ignore lint/suspicious/noExplicitAny: objects of all versions
type Widget = any;

/** A width and a height as one field. */
interface Form {
  read(spec: Widget): readonly number[];
  write(size: readonly number[]): object;
}

const forms: Readonly<Record<WidgetVersion, Form>> = {
  v1: {
    read: ({ width, height }) => [width, height].filter((each) => each !== undefined),
    write: ([width, height]) => ({ width, height }),
  },
  v1beta1: {
    read: ({ size }) => (size ?? '').split('x').filter(Boolean).map(Number),
    write: (size) => ({ size: size.join('x') }),
  },
  v1alpha1: {
    read: ({ dims = [] }) => dims,
    write: (dims) => ({ dims }),
  },
};

/** Converts a widget between two versions. */
function convertWidget({ spec = {}, status, ...rest }: Widget, from: WidgetVersion, to: WidgetVersion): Widget {
  const { replicas, count = replicas } = spec;
  const { phase, state = phase, ready = status?.replicas } = status ?? {};
  const isNew = to === 'v1';
  return {
    ...rest,
    apiVersion: `${group}/${to}`,
    spec: { ...forms[to].write(forms[from].read(spec)), ...(isNew ? { replicas: count } : { count }) },
    ...(status && { status: isNew ? { phase: state, replicas: ready } : { state, ready } }),
  };
}

/** Returns the converter of a version. @param stored the storage version */
export const widgetConverter = (version: WidgetVersion, stored: WidgetVersion): AnyConverter => ({
  toStorage: (object) => convertWidget(object, version, stored),
  fromStorage: (object) => convertWidget(object, stored, version),
});

/** A generated group with three versions of one kind with different schemas. */
export interface WidgetGroup {
  /** Returns the group with converters for all versions but the storage version. */
  with(converters: Readonly<Record<string, AnyConverter>>, strategies?: object): ApiGroup;
  remove(): Promise<void>;
}

/** What the group is generated from. Only .proto files give it protobuf. */
type WidgetSource = 'OpenAPI' | '.proto';

const sources: Readonly<Record<WidgetSource, (folder: string) => Promise<ImportSource>>> = {
  OpenAPI: async (folder) => {
    const file = join(folder, 'widgets.json');
    const schemas = Object.fromEntries(widgetVersions.map((version) => [`${version}.Widget`, widgetSchema(version)]));
    await writeFile(file, JSON.stringify({ openapi: '3.0.0', info: { title: 'Shop' }, components: { schemas } }));
    return readOpenApiFile(file);
  },
  '.proto': async (folder) => {
    const protos = join(folder, 'proto');
    await mkdir(protos);
    for (const version of widgetVersions) await writeFile(join(protos, `${version}.proto`), proto(version));
    return readProtoFolder(protos);
  },
};

/** Generates the group. @param stored the storage version */
export async function widgetGroup(stored: WidgetVersion, source: WidgetSource = 'OpenAPI'): Promise<WidgetGroup> {
  const folder = await temporaryFolder('widgets');
  const out = join(folder.path, 'schemas');
  await writeSchemas(normaliseSource(await sources[source](folder.path), 'widgets'), out);
  await mkdir(join(out, 'overlays', group), { recursive: true });
  for (const version of widgetVersions) {
    const conversion = version === stored ? {} : { conversion: { strategy: 'Converter' } };
    const widgets = { ...overlays[version], ...conversion, storageVersion: stored };
    await writeFile(join(out, 'overlays', group, `${version}.yaml`), JSON.stringify({ resources: { widgets } }));
  }
  await emitAll(await loadModel(out, { overlays: join(out, 'overlays') }), { out: folder.path, schemas: out });
  const { widgets } = (await import(pathToFileURL(join(folder.path, 'widgets/index.ts')).href)) as {
    widgets: (strategies: object, conversions: object) => ApiGroup;
  };
  return {
    with: (converters, strategies = {}) => widgets({ widgets: strategies }, { widgets: converters }),
    remove: folder.remove,
  };
}
