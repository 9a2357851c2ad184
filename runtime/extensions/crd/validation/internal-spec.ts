import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { ScalePaths } from '../../../structural/schema/scale.ts';

/** apiextensions.k8s.io/v1 CustomResourceDefinition, as far as validation reads it. */
export interface Definition extends KubeObject {
  spec: DefinitionSpec;
  status?: DefinitionStatus;
}

export interface DefinitionSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: DefinitionNames;
  readonly versions?: readonly DefinitionVersion[] | null;
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

export interface DefinitionNames {
  readonly plural?: string;
  readonly singular?: string;
  readonly kind?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface DefinitionVersion extends VersionParts {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
}

/** What each version may have for itself. */
export interface VersionParts {
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly SelectableField[];
}

export interface Subresources {
  readonly status?: object;
  readonly scale?: Partial<ScalePaths>;
}

export interface PrinterColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly jsonPath?: string;
}

export interface SelectableField {
  readonly jsonPath?: string;
}

export interface Conversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: {
        readonly name?: string;
        readonly namespace?: string;
        readonly path?: string;
        readonly port?: number;
      };
      readonly caBundle?: string | null;
    };
    readonly conversionReviewVersions?: readonly string[] | null;
  };
}

export interface DefinitionStatus {
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[] | null;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null;
}

/** A spec with what all versions have alike told once, at the top: upstream validates this form, and its paths say so. */
export interface InternalSpec extends DefinitionSpec {
  readonly versions: readonly DefinitionVersion[];
  readonly names: DefinitionNames;
  readonly shared: VersionParts;
}

const parts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** (pkg/apis/apiextensions/v1/conversion.go) */
export function toInternalSpec(spec: DefinitionSpec): InternalSpec {
  const versions: readonly DefinitionVersion[] = spec.versions ?? [];
  const shared: { -readonly [part in keyof VersionParts]: VersionParts[part] } = {};
  const rest = versions.map((version) => ({ ...version }));
  for (const part of versions.length === 0 ? [] : parts) {
    const alike = versions.every((version) => equalJson(version[part] ?? null, versions[0][part] ?? null));
    if (!alike) continue;
    Object.assign(shared, { [part]: versions[0][part] });
    for (const version of rest) delete version[part];
  }
  return { ...spec, names: spec.names ?? {}, versions: rest, shared };
}

/** The schemas of a definition, each once. */
export function schemasOf(spec: InternalSpec): JsonSchema[] {
  return [spec.shared, ...spec.versions].flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

export function isConditionTrue(definition: Definition, type: string): boolean {
  return (definition.status?.conditions ?? []).some((one) => one.type === type && one.status === 'True');
}
