import type {
  ApiModel,
  FieldModel,
  GroupVersionModel,
  ScalarName,
  SpecialName,
  TypeModel,
  TypeRef,
} from '../model/model.ts';
import { folderAlias } from '../model/names.ts';
import { typeById } from '../model/type-graph.ts';
import { siblingPath } from '../print/imports.ts';
import { objectKey, text } from '../print/literal.ts';
import { type definitionFiles, importDefinitions } from '../print/symbols.ts';
import type { EmitContext } from './context.ts';

type Thunk = (typeof definitionFiles)['machinery/schema/merge-schema.ts'][number];

const specialThunks: Readonly<Record<SpecialName, Thunk>> = {
  Quantity: 'quantity',
  IntOrString: 'intOrString',
  Time: 'time',
  MicroTime: 'time',
  Duration: 'text',
  RawExtension: 'untypedAtomic',
  FieldsV1: 'untyped',
  JSON: 'untyped',
  JSONSchemaPropsOrBool: 'untyped',
  JSONSchemaPropsOrArray: 'untyped',
  JSONSchemaPropsOrStringArray: 'untyped',
  Verbs: 'textList',
  Unknown: 'untyped',
};

/** Name of the constant that says how values of the type combine. */
export const mergeName = (type: TypeModel): string => `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}Merge`;

/**
 * One StructMerge constant a type. Fields are thunks, so that types may contain one another and files may import
 * one another; those of a kind that needs no facts share the thunks of machinery/merge-schema.
 */
export function emitMerge(groupVersion: GroupVersionModel, model: ApiModel, context: EmitContext): string {
  const writer = new MergeWriter(groupVersion, model);
  const constants = groupVersion.types.map((type) => writer.constant(type));
  if (constants.length === 0) return `${context.header}\nexport {};\n`;
  return `${context.header}${writer.imports(context.runtime)}\n${constants.join('\n')}`;
}

const isText = (ref: TypeRef): boolean => ref.kind === 'scalar' && (ref.name === 'string' || ref.name === 'bytes');

function scalarThunk(name: ScalarName): Thunk {
  if (name === 'bool') return 'boolean';
  return name === 'string' || name === 'bytes' ? 'text' : 'number';
}

function keyDefault(field: FieldModel | undefined): unknown {
  if (field === undefined || field.default !== undefined) return field?.default;
  if (field.pointer || field.omitEmpty || field.type.kind !== 'scalar') return undefined;
  if (field.type.name === 'bool') return false;
  return field.type.name === 'string' ? '' : 0;
}

class MergeWriter {
  readonly #groupVersion: GroupVersionModel;
  readonly #model: ApiModel;
  readonly #thunks = new Set<Thunk>();
  readonly #folders = new Map<string, string>();

  constructor(groupVersion: GroupVersionModel, model: ApiModel) {
    this.#groupVersion = groupVersion;
    this.#model = model;
  }

  constant(type: TypeModel): string {
    const fields = type.fields.map((field) => `    ${objectKey(field.json)}: ${this.#field(field)},\n`);
    if (type.gvk && !type.fields.some((field) => field.json === 'apiVersion'))
      fields.unshift(`    apiVersion: ${this.#thunk('text')},\n`, `    kind: ${this.#thunk('text')},\n`);
    const strategies = type.fields
      .filter((field) => field.patchStrategy !== undefined && field.type.kind === 'message')
      .map((field) => `${objectKey(field.json)}: ${text(field.patchStrategy)}`);
    return [
      `export const ${mergeName(type)}: StructMerge = {\n`,
      `  kind: 'struct',\n  mapType: ${text(type.mapType ?? 'granular')},\n`,
      // of an object without properties nothing is known (kube-openapi pkg/schemaconv)
      fields.length === 0
        ? `  fields: {},\n  others: ${this.#thunk('untyped')},\n`
        : `  fields: {\n${fields.join('')}  },\n`,
      strategies.length === 0 ? '' : `  patchStrategies: { ${strategies.join(', ')} },\n`,
      type.unions === undefined || type.unions.length === 0 ? '' : `  unions: ${text(type.unions)},\n`,
      '};\n',
    ].join('');
  }

  /** An expression of type `() => MergeSchema`. */
  #field(field: FieldModel): string {
    const { type, listType, listMapKeys, mapType, patchStrategy, patchMergeKey } = field;
    if (type.kind === 'list') {
      const kind = listType ?? 'atomic';
      if (isText(type.of) && kind === 'atomic' && patchStrategy === undefined) return this.#thunk('textList');
      const items = this.#ref(type.of);
      const keyDefaults = this.#keyDefaults(type.of, listMapKeys ?? []);
      const facts = {
        listType: kind,
        ...(listMapKeys === undefined || listMapKeys.length === 0 ? {} : { mapKeys: listMapKeys }),
        ...(Object.keys(keyDefaults).length === 0 ? {} : { keyDefaults }),
        ...(patchStrategy === undefined ? {} : { patchStrategy }),
        ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
      };
      return `${this.#thunk('list')}(${items}, ${text(facts)})`;
    }
    if (type.kind === 'map') {
      const facts = { mapType: mapType ?? 'granular', ...(patchStrategy === undefined ? {} : { patchStrategy }) };
      if (isText(type.of) && facts.mapType === 'granular' && patchStrategy === undefined)
        return this.#thunk('textMapping');
      return `${this.#thunk('map')}(${this.#ref(type.of)}, ${text(facts)})`;
    }
    if (
      type.kind === 'message' &&
      mapType !== undefined &&
      mapType !== (typeById(this.#model, type.id).mapType ?? 'granular')
    )
      return `() => ({ ...${this.#constantName(type.id)}, mapType: ${text(mapType)} })`;
    return this.#ref(type);
  }

  #ref(ref: TypeRef): string {
    switch (ref.kind) {
      case 'scalar':
        return this.#thunk(scalarThunk(ref.name));
      case 'special':
        return this.#thunk(specialThunks[ref.name]);
      case 'message':
        return `() => ${this.#constantName(ref.id)}`;
      case 'list':
        return `${this.#thunk('list')}(${this.#ref(ref.of)}, { listType: 'atomic' })`;
      case 'map':
        return `${this.#thunk('map')}(${this.#ref(ref.of)}, { mapType: 'granular' })`;
    }
  }

  /**
   * Values of keys that are left out: the default of their schema, as of `protocol` of ports. Go's zero value is the
   * default of a field that is always written. (kube-openapi pkg/generators/openapi.go)
   */
  #keyDefaults(element: TypeRef, keys: readonly string[]): Record<string, unknown> {
    if (element.kind !== 'message') return {};
    const { fields } = typeById(this.#model, element.id);
    const defaults = keys.map((key) => [key, keyDefault(fields.find((field) => field.json === key))] as const);
    return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
  }

  #constantName(id: string): string {
    const type = typeById(this.#model, id);
    const name = mergeName(type);
    if (type.folder === this.#groupVersion.folder) return name;
    const alias = folderAlias(type.folder, this.#model);
    this.#folders.set(alias, type.folder);
    return `${alias}.${name}`;
  }

  #thunk(name: Thunk): string {
    this.#thunks.add(name);
    return name;
  }

  imports(runtime: string): string {
    const { folder } = this.#groupVersion;
    const others = [...this.#folders]
      .sort()
      .map(([alias, other]) => `import * as ${alias} from '${siblingPath(folder, other, 'merge.ts')}';\n`);
    const own = importDefinitions(runtime, 'machinery/schema/merge-schema.ts', ['type StructMerge', ...this.#thunks]);
    return `${own}${others.join('')}`;
  }
}
