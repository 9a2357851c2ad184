import type { ApiGroup, ResourceStrategy, StrategyRequest } from '../machinery/api-group.ts';
import { invalid } from '../machinery/errors/status.ts';
import { formatGroupResource } from '../machinery/gvk.ts';
import { type KubeObject, unstructuredContent } from '../machinery/object.ts';
import type { FieldError } from '../machinery/validation/field-error.ts';
import type { RESTStrategies, RESTStrategy, WriteContext } from './rest.ts';
import { validateBeforeHooks } from './validation.ts';

/**
 * Adds the strategies of API groups. They run after the strategies in the table, and only for objects that match their
 * schema.
 */
export function withGroupStrategies(table: RESTStrategies, groups: readonly ApiGroup[]): RESTStrategies {
  const found: Record<string, RESTStrategy> = { ...table };
  for (const { catalog, strategies } of groups) {
    for (const facts of catalog.groupVersions.flatMap(({ resources }) => resources)) {
      const strategy = strategies[formatGroupResource(facts)];
      if (strategy === undefined || facts.version !== facts.storageVersion) continue;
      const key = `${facts.group}/${facts.resource}`;
      found[key] = { ...found[key], ...append(found[key] ?? {}, strategy) };
    }
  }
  return found;
}

function append(base: RESTStrategy, strategy: ResourceStrategy): RESTStrategy {
  /** The errors of objects that hooks must not see. */
  const refused = new WeakSet<readonly FieldError[]>();
  return {
    ...(strategy.create && { create: (object, context) => createUnstored(strategy, object, context) }),
    async prepareForCreate(object, context) {
      await base.prepareForCreate?.(object, context);
      if (strategy.prepareForCreate === undefined) return;
      validateBeforeHooks(object, undefined, context);
      await changeStored(object, context, (stored) => strategy.prepareForCreate?.(stored, requestOf(context)));
    },
    async prepareForUpdate(object, old, context) {
      await base.prepareForUpdate?.(object, old, context);
      if (strategy.prepareForUpdate === undefined) return;
      validateBeforeHooks(object, old, context);
      const before = atStorageVersion(old, context);
      await changeStored(object, context, (stored) => strategy.prepareForUpdate?.(stored, before, requestOf(context)));
    },
    validate(object, errors, context) {
      base.validate?.(object, errors, context);
      if (!errors.every(isOfMetadata)) refused.add(errors);
      if (strategy.validate === undefined || refused.has(errors)) return;
      errors.push(...strategy.validate(atStorageVersion(object, context), requestOf(context)));
    },
    validateUpdate(object, old, errors, context) {
      base.validateUpdate?.(object, old, errors, context);
      if (strategy.validateUpdate === undefined || refused.has(errors)) return;
      const [now, before] = [atStorageVersion(object, context), atStorageVersion(old, context)];
      errors.push(...strategy.validateUpdate(now, before, requestOf(context)));
    },
    warnings(object, old, context) {
      const warnings = base.warnings?.(object, old, context) ?? [];
      if (strategy.warnings === undefined) return warnings;
      const before = old && atStorageVersion(old, context);
      return [...warnings, ...strategy.warnings(atStorageVersion(object, context), before, requestOf(context))];
    },
  };
}

/** Reports whether an error is about metadata. Decoded metadata has the right types, even in an invalid object. */
const isOfMetadata = ({ field }: FieldError): boolean => field === 'metadata' || field.startsWith('metadata.');

/** Returns the response for an object that matches its schema. */
async function createUnstored(
  { validate, create, warnings }: ResourceStrategy,
  object: KubeObject,
  context: WriteContext,
): Promise<KubeObject> {
  const { definition, warn } = context;
  const { version, storageVersion, conversion } = definition;
  const [sent, request] = [atStorageVersion(object, context), requestOf(context)];
  const errors = validate?.(sent, request) ?? [];
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
  for (const text of warnings?.(sent, undefined, request) ?? []) warn(text);
  const created = ((await create?.(sent, request)) ?? sent) as KubeObject;
  return version === storageVersion ? created : conversion.fromStorage(created);
}

/** Runs `change` on the object at the storage version, and copies the result back into the object. */
async function changeStored(
  object: KubeObject,
  { definition }: WriteContext,
  change: (stored: KubeObject) => void | Promise<void>,
): Promise<void> {
  if (definition.version === definition.storageVersion) {
    await change(object);
    return;
  }
  const stored = definition.conversion.toStorage(structuredClone(object));
  await change(stored);
  const converted = definition.conversion.fromStorage(stored);
  const content = unstructuredContent(object);
  for (const key of Object.keys(content)) delete content[key];
  Object.assign(object, converted);
}

function atStorageVersion(object: KubeObject, { definition }: WriteContext): KubeObject {
  return definition.version === definition.storageVersion ? object : definition.conversion.toStorage(structuredClone(object));
}

const requestOf = ({ user, namespace, subresource = '', dryRun, now }: WriteContext): StrategyRequest => ({
  user,
  namespace,
  subresource,
  dryRun,
  now,
});
