import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { JsonSchema } from '../../../machinery/schema/json-schema.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { schemaOf } from '../api-helpers.ts';

export type UnvalidatedDefinition = Unvalidated<CustomResourceDefinition>;
export type UnvalidatedVersion = Unvalidated<CustomResourceDefinitionVersion>;

const perVersionFields = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** The fields that are per version in v1. */
type PerVersionFields = Pick<UnvalidatedVersion, (typeof perVersionFields)[number]>;

/**
 * The spec as upstream validates it: fields that are the same in all versions are moved to the top level. Paths in error
 * messages depend on this. (pkg/apis/apiextensions/types.go CustomResourceDefinitionSpec)
 */
export interface InternalSpec extends Omit<Unvalidated<CustomResourceDefinitionSpec>, 'versions' | 'names'> {
  readonly names: Unvalidated<CustomResourceDefinitionNames>;
  readonly versions: readonly UnvalidatedVersion[];
  /** Whether the versions are a list, if only an empty one. */
  readonly hasVersions: boolean;
  readonly topLevel: PerVersionFields;
}

/** (pkg/apis/apiextensions/v1/conversion.go) */
export function toInternalSpec(spec: Unvalidated<CustomResourceDefinitionSpec>): InternalSpec {
  const versions = spec.versions ?? [];
  const topLevel: PerVersionFields = {};
  const rest = versions.map((version) => ({ ...version }));
  const [first] = versions;
  for (const field of first === undefined ? [] : perVersionFields) {
    const isShared = versions.every((version) => equalJson(version[field] ?? null, first?.[field] ?? null));
    if (!isShared) continue;
    Object.assign(topLevel, { [field]: first?.[field] });
    for (const version of rest) delete version[field];
  }
  return { ...spec, names: spec.names ?? {}, versions: rest, hasVersions: Boolean(spec.versions), topLevel };
}

/** Every schema of a definition once. */
export function schemasOf({ topLevel, versions }: InternalSpec): JsonSchema[] {
  return [topLevel, ...versions].flatMap((one) => schemaOf(one) ?? []);
}
