import type { DescMessage } from '@bufbuild/protobuf';
import { gvkKey } from '../load/normal-form/form.ts';
import type { OpenApiDocument, Schema } from '../load/openapi.ts';
import { kubernetesSchemas } from '../load/package-schemas.ts';
import { lineOfMessage, type ProtoIndex, type ProtoMessage } from '../load/protos.ts';
import { ProblemList } from '../load/schema-errors.ts';
import { completeDocuments } from './complete-documents.ts';
import { type ProtoAndFacts, readFolder, readProtoAndFacts } from './folder.ts';
import { addMissingTypes } from './missing-types.ts';
import { compileTexts, withOrigins } from './origins.ts';
import { MessageSchemas } from './proto-fields.ts';
import { type ExtraFiles, ImportError, type ImportSource } from './source.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';

/**
 * Reads a folder of only .proto files. Messages with Kubernetes' ObjectMeta as `metadata` are kinds. Group and version
 * come from the go_package (`example.com/library/v1` is `library.example.com/v1`) or, without one, from the package
 * (`com.example.library.v1`). The files may import Kubernetes' own, even if the folder lacks them.
 *
 * @throws ImportError for files without kinds, SchemaErrors for files that do not compile or have fields without JSON
 */
export async function readProtoFolder(dir: string, extra: ExtraFiles = {}): Promise<ImportSource> {
  const others = await readProtoAndFacts({ ...extra, proto: dir });
  const base = await readFolder(kubernetesSchemas);
  const { origins } = others;
  const protos = new Map([...base.protos, ...others.protos]);
  return withOrigins({ protos, origins }, () => sourceOf(dir, others, base));
}

async function sourceOf(dir: string, others: ProtoAndFacts, base: ImportSource): Promise<ImportSource> {
  const index = await compileTexts(new Map([...base.protos, ...others.protos]));
  const own = [...index.byId.values()].filter(({ file }) => others.protos.has(file.slice('proto/'.length)));
  const packages = new Map<string, ProtoMessage[]>();
  for (const message of own) {
    const prefix = message.id.slice(0, message.id.lastIndexOf('.'));
    packages.set(prefix, [...(packages.get(prefix) ?? []), message]);
  }
  const problems = new ProblemList();
  const schemas = new MessageSchemas(index, problems);
  const components = new Map(
    own
      .filter(({ desc }) => metadataOf(desc, index) !== listMeta)
      .map((message) => [message.id, withKind(message, schemas.schema(message), index)] as const),
  );
  problems.throwIfAny();
  const documents = [...packages].flatMap(([prefix, messages]) => {
    const [first] = messages;
    return first && messages.some(({ desc }) => isKind(desc, index)) ? documentOf(prefix, first.file, components, base) : [];
  });
  if (documents.length === 0) throw new ImportError(`${dir} has no message with Kubernetes' ObjectMeta as metadata`);
  const messages = new Map(
    own.map(({ id, desc, file }) => {
      const path = others.origins.protos?.get(file.slice('proto/'.length)) ?? file;
      return [id, { place: `${path}:${lineOfMessage(desc)}`, name: desc.name }] as const;
    }),
  );
  const origins = { ...others.origins, messages };
  return addMissingTypes({ kind: 'protos', documents: new Map(documents), ...others, origins }, base);
}

/** @param components the schemas of all messages, which may refer to messages of other packages */
function documentOf(
  prefix: string,
  file: string,
  components: ReadonlyMap<string, Schema>,
  base: ImportSource,
): [string, OpenApiDocument][] {
  const [version, ...domain] = prefix.split('.').reverse();
  const group = domain.join('.');
  const isOther = (schema: Schema): boolean => (schema[gvkKey] ?? []).some((gvk) => gvk.group !== group || gvk.version !== version);
  const schemas = Object.fromEntries([...components].filter(([, schema]) => !isOther(schema)));
  const document = { openapi: '3.0.0', info: { title: group, version }, components: { schemas } };
  return [...completeDocuments(document as Partial<OpenApiDocument>, file, base, { keepIds: true })];
}

function withKind({ desc, id }: ProtoMessage, schema: Schema, index: ProtoIndex): Schema {
  if (!isKind(desc, index)) return schema;
  const [kind = '', version = '', ...domain] = id.split('.').reverse();
  return { ...schema, [gvkKey]: [{ group: domain.join('.'), kind, version }] };
}

const isKind = (desc: DescMessage, index: ProtoIndex): boolean => metadataOf(desc, index) === objectMeta;

/** Returns the type id of the field `metadata`. */
function metadataOf(desc: DescMessage, index: ProtoIndex): string | undefined {
  const field = desc.fields.find(({ name }) => name === 'metadata');
  return field?.fieldKind === 'message' ? index.byName.get(field.message.typeName)?.id : undefined;
}
