import type { ApiModel, FieldModel, GroupVersionModel, ScalarName, SpecialName, TypeId, TypeModel, TypeRef } from '../model/model.ts';
import { isBySchema, typeById } from '../model/type-graph.ts';
import { type FileContext, GeneratedFile } from '../print/generated-file.ts';
import { literal, objectBlock } from '../print/literal.ts';
import { functionNames } from '../print/names.ts';
import type { RuntimeName } from '../print/symbols.ts';

type MergeName = RuntimeName<'machinery/schema/merge-schema.ts'>;

const specialSchemas: Readonly<Record<SpecialName, MergeName>> = {
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

/**
 * Emits a StructMerge constant for each type. Its fields are functions, since types may contain one another and files
 * may import one another. Scalars, plain lists and plain maps share the functions of machinery/schema/merge-schema.
 */
export function emitMerge(groupVersion: GroupVersionModel, model: ApiModel, context: FileContext): string {
  const file = new GeneratedFile(model, groupVersion.folder, context);
  const emitter = new MergeEmitter(model, file);
  for (const type of groupVersion.types.filter((each) => !isBySchema(each))) emitter.constant(type);
  return file.print();
}

const isText = (ref: TypeRef): boolean => ref.kind === 'scalar' && (ref.name === 'string' || ref.name === 'bytes');

function scalarSchema(name: ScalarName): MergeName {
  if (name === 'bool') return 'boolean';
  return name === 'string' || name === 'bytes' ? 'text' : 'number';
}

function keyDefault(field: FieldModel | undefined): unknown {
  if (field === undefined || field.default !== undefined) return field?.default;
  if (field.pointer || field.omitEmpty || field.type.kind !== 'scalar') return undefined;
  if (field.type.name === 'bool') return false;
  return field.type.name === 'string' ? '' : 0;
}

class MergeEmitter {
  readonly #model: ApiModel;
  readonly #file: GeneratedFile;

  constructor(model: ApiModel, file: GeneratedFile) {
    this.#model = model;
    this.#file = file;
  }

  constant(type: TypeModel): void {
    const fields = type.fields.map((field): [string, string] => [field.json, this.#field(field)]);
    if (type.gvk && !type.fields.some((field) => field.json === 'apiVersion'))
      fields.unshift(['apiVersion', this.#schema('text')], ['kind', this.#schema('text')]);
    const strategies = type.fields.filter((field) => field.patchStrategy !== undefined && field.type.kind === 'message');
    this.#file.addConstant({
      name: functionNames(type).merge,
      type: this.#file.runtime('machinery/schema/merge-schema.ts', 'type StructMerge'),
      initializer: objectBlock([
        ['kind', literal('struct')],
        ['mapType', literal(type.mapType ?? 'granular')],
        ['fields', objectBlock(fields)],
        // an object without properties may have any (kube-openapi pkg/schemaconv)
        ['others', fields.length === 0 ? this.#schema('untyped') : undefined],
        [
          'patchStrategies',
          strategies.length === 0
            ? undefined
            : literal(Object.fromEntries(strategies.map(({ json, patchStrategy }) => [json, patchStrategy]))),
        ],
        ['unions', type.unions === undefined || type.unions.length === 0 ? undefined : literal(type.unions)],
      ]),
    });
  }

  /** Returns an expression of type `() => MergeSchema`. */
  #field(field: FieldModel): string {
    const { type, listType, listMapKeys, mapType, patchStrategy, patchMergeKey } = field;
    if (type.kind === 'list') {
      const kind = listType ?? 'atomic';
      if (isText(type.of) && kind === 'atomic' && patchStrategy === undefined) return this.#schema('textList');
      const items = this.#ref(type.of);
      const keyDefaults = this.#keyDefaults(type.of, listMapKeys ?? []);
      const facts = {
        listType: kind,
        mapKeys: listMapKeys?.length ? listMapKeys : undefined,
        keyDefaults: Object.keys(keyDefaults).length === 0 ? undefined : keyDefaults,
        patchStrategy,
        patchMergeKey,
      };
      return `${this.#schema('list')}(${items}, ${literal(facts)})`;
    }
    if (type.kind === 'map') {
      const facts = { mapType: mapType ?? 'granular', patchStrategy };
      if (isText(type.of) && facts.mapType === 'granular' && patchStrategy === undefined) return this.#schema('textMapping');
      return `${this.#schema('map')}(${this.#ref(type.of)}, ${literal(facts)})`;
    }
    if (type.kind === 'message' && mapType !== undefined && mapType !== (typeById(this.#model, type.id).mapType ?? 'granular'))
      return `() => ({ ...${this.#constantName(type.id)}, mapType: ${literal(mapType)} })`;
    return this.#ref(type);
  }

  #ref(ref: TypeRef): string {
    switch (ref.kind) {
      case 'scalar':
        return this.#schema(scalarSchema(ref.name));
      case 'special':
        return this.#schema(specialSchemas[ref.name]);
      case 'message':
        return `() => ${this.#constantName(ref.id)}`;
      case 'list':
        return `${this.#schema('list')}(${this.#ref(ref.of)}, { listType: 'atomic' })`;
      case 'map':
        return `${this.#schema('map')}(${this.#ref(ref.of)}, { mapType: 'granular' })`;
    }
  }

  /**
   * Returns the default values of list-map keys, such as `protocol` of ports: the default of their schema, or Go's zero
   * value if the field is always written. (kube-openapi pkg/generators/openapi.go)
   */
  #keyDefaults(element: TypeRef, keys: readonly string[]): Record<string, unknown> {
    if (element.kind !== 'message') return {};
    const { fields } = typeById(this.#model, element.id);
    const defaults = keys.map((key) => [key, keyDefault(fields.find((field) => field.json === key))] as const);
    return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
  }

  #constantName(id: TypeId): string {
    const type = typeById(this.#model, id);
    return this.#file.generated(type, 'merge.ts', functionNames(type).merge);
  }

  #schema(name: MergeName): string {
    return this.#file.runtime('machinery/schema/merge-schema.ts', name);
  }
}
