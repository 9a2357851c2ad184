import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import { kubernetesSchemas } from '../load/package-schemas.ts';
import { compileProtos, type ProtoIndex, type ProtoMessage } from '../load/protos.ts';
import { writeFiles } from '../output/staging.ts';
import { completeDocuments } from './complete-documents.ts';
import { readFolder, readProtoAndFacts } from './folder.ts';
import { addMissingTypes } from './missing-types.ts';
import { type ExtraFiles, ImportError, type ImportSource } from './source.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/**
 * Reads a folder of only .proto files. Messages with Kubernetes' ObjectMeta as `metadata` are kinds. Group and version
 * come from the go_package (`example.com/library/v1` is `library.example.com/v1`) or, without one, from the package
 * (`com.example.library.v1`). The files may import Kubernetes' own, which the folder does not need to have.
 *
 * @throws ImportError for files without kinds, SchemaErrors for files that do not compile
 */
export async function readProtoFolder(dir: string, extra: ExtraFiles = {}): Promise<ImportSource> {
  const others = await readProtoAndFacts({ ...extra, proto: dir });
  const base = await readFolder(kubernetesSchemas);
  const index = await compileTexts(new Map([...base.protos, ...others.protos]));
  const own = [...index.byId.values()].filter(({ file }) => others.protos.has(file.slice('proto/'.length)));
  const packages = new Map<string, ProtoMessage[]>();
  for (const message of own) {
    const prefix = message.id.slice(0, message.id.lastIndexOf('.'));
    packages.set(prefix, [...(packages.get(prefix) ?? []), message]);
  }
  const documents = [...packages].flatMap(([prefix, messages]) =>
    messages.some(({ desc }) => isKind(desc, index)) ? documentOf(prefix, messages, index, base) : [],
  );
  if (documents.length === 0) throw new ImportError(`${dir} has no message with Kubernetes' ObjectMeta as metadata`);
  return addMissingTypes({ kind: 'protos', documents: new Map(documents), ...others }, base);
}

async function compileTexts(protos: ReadonlyMap<string, string>): Promise<ProtoIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-protos-'));
  try {
    await writeFiles(protos, folder);
    return await compileProtos(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function documentOf(
  prefix: string,
  messages: readonly ProtoMessage[],
  index: ProtoIndex,
  base: ImportSource,
): [string, OpenApiDocument][] {
  const [version, ...domain] = prefix.split('.').reverse();
  const schemas = messages
    .filter(({ desc }) => metadataOf(desc, index) !== listMeta)
    .map((message) => [message.id, schemaOf(message, { group: domain.join('.'), version }, index)] as const);
  const document = {
    openapi: '3.0.0',
    info: { title: domain.join('.'), version },
    components: { schemas: Object.fromEntries(schemas) },
  };
  return [...completeDocuments(document as Partial<OpenApiDocument>, messages[0].file, base)];
}

const isKind = (desc: DescMessage, index: ProtoIndex): boolean => metadataOf(desc, index) === objectMeta;

/** The type id of the field `metadata`. */
function metadataOf(desc: DescMessage, index: ProtoIndex): string | undefined {
  const field = desc.fields.find(({ name }) => name === 'metadata');
  return field?.fieldKind === 'message' ? index.byName.get(field.message.typeName)?.id : undefined;
}

function schemaOf(
  { desc, file }: ProtoMessage,
  groupVersion: { readonly group: string; readonly version: string },
  index: ProtoIndex,
): Schema {
  const properties = Object.fromEntries(desc.fields.map((field) => [field.name, fieldSchema(field, file, index)]));
  if (!isKind(desc, index)) return { type: 'object', properties };
  const gvk = { group: groupVersion.group, kind: desc.name, version: groupVersion.version };
  return { type: 'object', properties, 'x-kubernetes-group-version-kind': [gvk] };
}

const scalars: Partial<Record<ScalarType, Schema>> = {
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.INT32]: { type: 'integer', format: 'int32' },
  [ScalarType.INT64]: { type: 'integer', format: 'int64' },
  [ScalarType.UINT32]: { type: 'integer', format: 'int64' },
  [ScalarType.UINT64]: { type: 'integer', format: 'int64' },
  [ScalarType.DOUBLE]: { type: 'number', format: 'double' },
  [ScalarType.BYTES]: { type: 'string', format: 'byte' },
};

function fieldSchema(field: DescField, file: string, index: ProtoIndex): Schema {
  const value = (scalar: ScalarType | undefined, message: DescMessage | undefined): Schema => {
    const known = message === undefined ? scalars[scalar as ScalarType] : referenceTo(message, index);
    if (known === undefined) throw new ImportError(`${file}: Kubernetes has no JSON for the field ${field.toString()}`);
    return known;
  };
  switch (field.fieldKind) {
    case 'list':
      return { type: 'array', items: value(field.scalar, field.message) };
    case 'map':
      return { type: 'object', additionalProperties: value(field.scalar, field.message) };
    default:
      return value(field.scalar, field.message);
  }
}

function referenceTo(message: DescMessage, index: ProtoIndex): Schema | undefined {
  const id = index.byName.get(message.typeName)?.id;
  return id === undefined ? undefined : { $ref: `#/components/schemas/${id}` };
}
