import { restoreObjectMeta } from '../../extensions/crd/conversion/restore-object-meta.ts';
import type { AnyConverter, ApiGroup } from '../../machinery/api-group.ts';
import { internalError } from '../../machinery/errors/status.ts';
import { formatGroupResource, formatGroupVersion, formatGroupVersionKind } from '../../machinery/gvk.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition, ResourceFacts } from '../../machinery/resource.ts';
import { OptionError } from '../../options/server-options.ts';
import { withAnyStoredVersion } from './group-decoder.ts';

/** @throws OptionError if a version that differs from the stored one has no converter */
export function checkConverters(group: ApiGroup): void {
  for (const facts of group.catalog.groupVersions.flatMap(({ resources }) => resources)) {
    if (!facts.needsConverter || converterOf(group, facts) !== undefined) continue;
    const { resource, version, storageVersion } = facts;
    throw new OptionError(
      `${formatGroupResource(facts)}: ${version} and ${storageVersion} have different schemas, and the group has no converter: pass { ${resource}: { ${version}: { toStorage, fromStorage } } } as the second argument of the group's function`,
    );
  }
}

function converterOf({ conversions = {} }: ApiGroup, facts: ResourceFacts): AnyConverter | undefined {
  const versions = conversions[formatGroupResource(facts)];
  const converter = versions && Object.hasOwn(versions, facts.version) ? versions[facts.version] : undefined;
  const isComplete = typeof converter?.toStorage === 'function' && typeof converter.fromStorage === 'function';
  return isComplete ? converter : undefined;
}

/**
 * Returns the definitions of a group-version. They convert with the group's converters, and read stored objects of any
 * of their versions.
 */
export async function withVersions(group: ApiGroup, definitions: readonly ResourceDefinition[]): Promise<readonly ResourceDefinition[]> {
  return Promise.all(
    definitions.map(async (definition) => {
      const versions = definition.stored ? await versionsOf(group, definition) : [];
      if (versions.length < 2) return definition;
      const byApiVersion = new Map(
        convertedBy(group, versions).map((each): [string, ResourceDefinition] => [formatGroupVersion(each), each]),
      );
      const converted = byApiVersion.get(formatGroupVersion(definition)) ?? definition;
      return withAnyStoredVersion(converted, byApiVersion);
    }),
  );
}

/** The definitions of all versions of a resource. */
async function versionsOf({ catalog }: ApiGroup, { group, resource }: ResourceDefinition): Promise<readonly ResourceDefinition[]> {
  const loaded = await Promise.all(
    catalog.groupVersions
      .filter((each) => each.group === group && each.resources.some((facts) => facts.resource === resource))
      .map((each) => each.load()),
  );
  return loaded.flat().filter((each) => each.resource === resource);
}

function convertedBy(group: ApiGroup, versions: readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  return versions.map((definition) => {
    const converter = converterOf(group, definition);
    if (!definition.needsConverter || converter === undefined) return definition;
    const stored = versions.find(({ version }) => version === definition.storageVersion);
    if (stored !== undefined) return withConverter(definition, stored, converter);
    const { resource, group: name, storageVersion } = definition;
    throw new Error(`${resource}.${name} is not served at ${storageVersion}, its stored version`);
  });
}

function withConverter(definition: ResourceDefinition, stored: ResourceDefinition, converter: AnyConverter): ResourceDefinition {
  return {
    ...definition,
    conversion: {
      toStorage: (object) => convert(object, definition, stored, (given) => converter.toStorage(given)),
      fromStorage: (object) => convert(object, stored, definition, (given) => converter.fromStorage(given)),
    },
  };
}

/**
 * Converts an object like a conversion webhook: metadata may only change in labels and annotations, and the result gets
 * the defaults of its version.
 *
 * @throws StatusError 500 if the converter fails, or returns anything but an object of the version
 */
function convert(object: KubeObject, from: ResourceDefinition, to: ResourceDefinition, run: (object: KubeObject) => object): KubeObject {
  const fail = (why: string): Error =>
    internalError(`conversion of ${formatGroupVersionKind(from)} to ${formatGroupVersion(to)} failed: ${why}`);
  const given = structuredClone(object);
  given.metadata ??= {};
  let converted: Partial<KubeObject>;
  try {
    converted = run(given) as Partial<KubeObject>;
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error));
  }
  if (typeof converted !== 'object' || converted === null || Array.isArray(converted)) throw fail('the converter returned no object');
  const wrong = identityProblem(converted, object, to);
  if (wrong !== undefined) throw fail(wrong);
  const own = { ...converted } as KubeObject;
  const problem = restoreObjectMeta(object, own);
  if (problem !== undefined) throw fail(problem);
  return complete(own, to, fail);
}

/** Drops values that JSON cannot express, checks types and fields, and sets defaults. */
function complete(object: KubeObject, { type }: ResourceDefinition, fail: (why: string) => Error): KubeObject {
  const { apiVersion, kind, metadata, ...content } = object;
  const context = new PruneContext({ collectUnknown: true });
  let pruned: KubeObject;
  try {
    const plain = JSON.parse(JSON.stringify(content)) as object;
    pruned = type.prune({ apiVersion, kind, metadata: {}, ...plain }, context);
  } catch (error) {
    throw fail(error instanceof Error ? error.message : String(error));
  }
  if (context.strictErrors.length > 0) throw fail(context.strictErrors.join(', '));
  const complete: KubeObject = { ...pruned, ...defined({ apiVersion, kind }), metadata };
  type.setDefaults(complete);
  return complete;
}

function identityProblem(
  { apiVersion, kind, metadata }: Partial<KubeObject>,
  original: KubeObject,
  to: ResourceDefinition,
): string | undefined {
  const expected = formatGroupVersion(to);
  if (apiVersion !== expected) return `the converter returned apiVersion ${apiVersion}, expected ${expected}`;
  if (kind !== to.kind) return `the converter returned kind ${kind}, expected ${to.kind}`;
  for (const [field, name] of unchanged) {
    const [before, after] = [original.metadata?.[field] ?? '', metadata?.[field] ?? ''];
    if (before !== after) return `must have the same ${name}: ${before} != ${after}`;
  }
  return undefined;
}

const unchanged = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
