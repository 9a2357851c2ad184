import { newRuleValidator, validateRules } from '../../../cel/rules/validate.ts';
import type { Json } from '../../../machinery/object.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import { type CompiledSchema, compileSchema, type SchemaRules } from '../../../structural/schema/compile.ts';
import { type CustomResourceDefinition, getCRDStorageVersion, type Version } from '../api-helpers.ts';
import type { Converter } from '../conversion/converter.ts';
import { newConverter } from '../conversion/new-converter.ts';
import type { ServiceResolver } from '../conversion/service-resolver.ts';
import { validateEmbeddedMetadata } from '../validation/embedded-metadata.ts';
import { type SchemaHistory, WritesUnderWay } from './schema-history.ts';

/** Everything that one state of a definition is served from, made when it is first needed. */
export class CRDInfo {
  readonly crd: CustomResourceDefinition;
  readonly group: string;
  readonly storageVersion: string;
  readonly history: SchemaHistory;
  readonly writes = new WritesUnderWay();
  readonly #sources = new Map<string, JsonSchema | undefined>();
  readonly #schemas = new Map<string, CompiledSchema>();
  readonly #read: () => CustomResourceDefinition;
  readonly #resolve: ServiceResolver;
  #converter: Converter | undefined;

  /** @param crd without schemas, which are `read` when the first of them is asked for */
  constructor(
    crd: CustomResourceDefinition,
    history: SchemaHistory,
    read: () => CustomResourceDefinition,
    resolve: ServiceResolver,
  ) {
    this.#read = read;
    this.#resolve = resolve;
    this.crd = crd;
    this.group = crd.spec.group;
    this.storageVersion = getCRDStorageVersion(crd);
    this.history = history;
  }

  get converter(): Converter {
    this.#converter ??= newConverter(this.crd, this.#resolve);
    return this.#converter;
  }

  version(name: string): Version | undefined {
    return this.crd.spec.versions.find((one) => one.name === name);
  }

  /** The schema as it is written; read once, since whatever is compiled from it holds parts of it. */
  source(name: string): JsonSchema | undefined {
    if (this.#sources.has(name)) return this.#sources.get(name);
    const crd = this.#read();
    const version = crd.spec.versions.find((one) => one.name === name);
    const source = version && schemaOf(crd, version);
    this.#sources.set(name, source);
    return source;
  }

  /** Undefined where the definition has no such version. */
  schema(name: string): CompiledSchema | undefined {
    const known = this.#schemas.get(name);
    if (known !== undefined) return known;
    const version = this.version(name);
    if (version === undefined) return undefined;
    const schema = this.source(name);
    const compiled = compileSchema(schema, {
      ...(version.subresources?.scale ? { scale: version.subresources.scale } : {}),
      ...(schema === undefined ? {} : { rules: rulesOf(schema) }),
      validateMetadata: validateEmbeddedMetadata,
    });
    this.#schemas.set(name, compiled);
    return compiled;
  }
}

/** Definitions from before structural schemas may say that nothing is pruned. */
export function schemaOf({ spec }: CustomResourceDefinition, { schema }: Version): JsonSchema | undefined {
  const own = schema?.openAPIV3Schema;
  return spec.preserveUnknownFields ? { ...own, 'x-kubernetes-preserve-unknown-fields': true } : own;
}

/** CEL rules, compiled when an object is first judged. */
function rulesOf(schema: JsonSchema): SchemaRules {
  let tree: ReturnType<typeof newRuleValidator> | null = null;
  return {
    validate(object, old, path, errors) {
      if (tree === null) tree = newRuleValidator(schema, true);
      if (tree === undefined) return;
      const input = { self: object, path, ...(old === undefined ? {} : { oldSelf: old as Json }) };
      for (const error of validateRules(tree, input).errors) errors.push(error);
    },
  };
}
