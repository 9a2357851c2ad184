import type { AnyStrategy, ApiGroup, StrategyRequest } from '../machinery/api-group.ts';
import { formatGroupResource } from '../machinery/gvk.ts';
import type { KubeObject } from '../machinery/object.ts';
import type { HookTable, ResourceHooks, WriteContext } from './hooks.ts';

/** The table with what the groups' own strategies do after the hooks that are there already. */
export function withStrategies(table: HookTable, groups: readonly ApiGroup[]): HookTable {
  const found: Record<string, ResourceHooks> = { ...table };
  for (const { catalog, strategies } of groups) {
    for (const facts of catalog.groupVersions.flatMap(({ resources }) => resources)) {
      const strategy = strategies[formatGroupResource(facts)];
      if (strategy === undefined || facts.version !== facts.storageVersion) continue;
      const key = `${facts.group}/${facts.resource}`;
      found[key] = { ...found[key], ...after(found[key] ?? {}, strategy) };
    }
  }
  return found;
}

function after(hooks: ResourceHooks, strategy: AnyStrategy): ResourceHooks {
  return {
    async prepareForCreate(object, context) {
      await hooks.prepareForCreate?.(object, context);
      await changed(object, context, (stored) => strategy.prepareForCreate?.(stored, requestOf(context)));
    },
    async prepareForUpdate(object, old, context, part) {
      await hooks.prepareForUpdate?.(object, old, context, part);
      const before = atStorageVersion(old, context);
      await changed(object, context, (stored) => strategy.prepareForUpdate?.(stored, before, requestOf(context)));
    },
    validate(object, errors, context) {
      hooks.validate?.(object, errors, context);
      if (strategy.validate === undefined) return;
      errors.push(...strategy.validate(atStorageVersion(object, context), requestOf(context)));
    },
    validateUpdate(object, old, errors, context) {
      hooks.validateUpdate?.(object, old, errors, context);
      if (strategy.validateUpdate === undefined) return;
      const [now, before] = [object, old].map((each) => atStorageVersion(each, context));
      errors.push(...strategy.validateUpdate(now, before, requestOf(context)));
    },
    warnings(object, old, context, part) {
      const known = hooks.warnings?.(object, old, context, part) ?? [];
      if (strategy.warnings === undefined) return known;
      const before = old && atStorageVersion(old, context);
      return [...known, ...strategy.warnings(atStorageVersion(object, context), before, requestOf(context))];
    },
  };
}

/** Runs `change` on the object at the storage version, and writes what came of it back into the object. */
async function changed(
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
  const back = definition.conversion.fromStorage(stored);
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, back);
}

function atStorageVersion(object: KubeObject, { definition }: WriteContext): KubeObject {
  return definition.version === definition.storageVersion
    ? object
    : definition.conversion.toStorage(structuredClone(object));
}

const requestOf = ({ user, namespace, subresource = '', dryRun, now }: WriteContext): StrategyRequest => ({
  user,
  namespace,
  subresource,
  dryRun,
  now,
});
