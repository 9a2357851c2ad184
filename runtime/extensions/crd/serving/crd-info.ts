import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { celRules } from '../../../cel/rules/schema-rules.ts';
import type { ServiceResolver } from '../../../client/webhook/service-resolver.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { MergeSchema } from '../../../machinery/schema/merge-schema.ts';
import { validateEmbeddedMetadata } from '../../../resources/metadata-validation.ts';
import { type CompiledSchema, compileSchema } from '../../../structural/schema/compile.ts';
import { mergeSchemaOf } from '../../../structural/schema/merge-schema.ts';
import { getCRDStorageVersion, getSchemaForVersion, servedNames } from '../api-helpers.ts';
import { type Converter, nopConverter } from '../conversion/converter.ts';
import { webhookConverter } from '../conversion/webhook-converter.ts';
import { type SchemaHistory, WritesInFlight } from './schema-history.ts';

export interface CRDInfoOptions {
  /** The definition without its schemas. */
  readonly crd: CustomResourceDefinition;
  readonly history: SchemaHistory;
  /** Decodes the definition with its schemas, on first use of a schema. */
  readonly read: () => CustomResourceDefinition;
  readonly resolve: ServiceResolver;
}

/** The values that serve one state of a definition, made on first use. (customresource_handler.go crdInfo) */
export class CRDInfo {
  readonly crd: CustomResourceDefinition;
  readonly group: string;
  readonly storageVersion: string;
  readonly history: SchemaHistory;
  readonly writes = new WritesInFlight();
  readonly #sources = new Map<string, JsonSchema | undefined>();
  readonly #schemas = new Map<string, CompiledSchema>();
  readonly #mergeSchemas = new Map<string, MergeSchema>();
  readonly #read: () => CustomResourceDefinition;
  readonly #resolve: ServiceResolver;
  #converter: Converter | undefined;

  constructor({ crd, history, read, resolve }: CRDInfoOptions) {
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

  version(name: string): CustomResourceDefinitionVersion | undefined {
    return this.crd.spec.versions.find((one) => one.name === name);
  }

  /** Returns the schema of the definition, decoded once, because compiled schemas refer to parts of it. */
  source(name: string): JsonSchema | undefined {
    if (this.#sources.has(name)) return this.#sources.get(name);
    const crd = this.#read();
    const version = crd.spec.versions.find((one) => one.name === name);
    const source = version && getSchemaForVersion(crd, version);
    this.#sources.set(name, source);
    return source;
  }

  /** Returns undefined if the definition has no such version. */
  schema(name: string): CompiledSchema | undefined {
    const known = this.#schemas.get(name);
    if (known !== undefined) return known;
    const version = this.version(name);
    if (version === undefined) return undefined;
    const schema = this.source(name);
    const compiled = compileSchema(schema, {
      gvk: { group: this.group, version: name, kind: servedNames(this.crd).kind },
      ...(version.subresources?.scale ? { scale: version.subresources.scale } : {}),
      ...(schema === undefined ? {} : { rules: celRules(schema) }),
      validateMetadata: validateEmbeddedMetadata,
    });
    this.#schemas.set(name, compiled);
    return compiled;
  }

  /** Returns the merge schema for apply; undefined if the definition has no such version. */
  mergeSchema(name: string): MergeSchema | undefined {
    const known = this.#mergeSchemas.get(name);
    if (known !== undefined || this.version(name) === undefined) return known;
    const merge = mergeSchemaOf(this.source(name));
    this.#mergeSchemas.set(name, merge);
    return merge;
  }
}

/** Returns the converter of a definition. (pkg/apiserver/conversion/converter.go CRConverterFactory.NewConverter) */
function newConverter({ spec: { conversion } }: CustomResourceDefinition, resolve: ServiceResolver): Converter {
  if (conversion?.strategy !== 'Webhook' || conversion.webhook === undefined) return nopConverter;
  return webhookConverter(conversion.webhook, resolve);
}
