import { parseGoBool } from '../../machinery/go/bool.ts';
import { mandatoryFlowSchemas } from '../bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels, suggestedPriorityLevels } from '../bootstrap/priority-levels.ts';
import { autoUpdateAnnotation, type FlowSchema } from '../objects.ts';
import { type ConfigObject, type ConfigResource, type ConfigStore, ignoreNotFoundAndConflict } from './config-store.ts';

/** The field manager of the bootstrap objects. (FieldManager in flowcontrol/rest) */
const fieldManager = 'api-priority-and-fairness-config-producer-v1';

interface Bootstrap {
  readonly resource: ConfigResource;
  readonly object: ConfigObject;
  /** Users cannot take over the spec. */
  readonly mandatory: boolean;
}

const bootstraps = (flowSchemas: readonly FlowSchema[]): readonly Bootstrap[] => [
  ...flowSchemas.map((object) => bootstrap('flowschemas', object, false)),
  ...suggestedPriorityLevels.map((object) => bootstrap('prioritylevelconfigurations', object, false)),
  ...mandatoryFlowSchemas.map((object) => bootstrap('flowschemas', object, true)),
  ...mandatoryPriorityLevels.map((object) => bootstrap('prioritylevelconfigurations', object, true)),
];

function bootstrap(resource: ConfigResource, object: ConfigObject, mandatory: boolean): Bootstrap {
  return { resource, object, mandatory };
}

/**
 * Creates missing bootstrap objects, restores specs that users have not taken over, and removes objects that an earlier
 * version maintained. Writes nothing if all objects are right. (kubernetes pkg/registry/flowcontrol/ensurer)
 *
 * @param suggested the flow schemas that users may change
 */
export async function ensureBootstrap(store: ConfigStore, suggested: readonly FlowSchema[]): Promise<void> {
  const current = {
    flowschemas: byName(store, 'flowschemas'),
    prioritylevelconfigurations: byName(store, 'prioritylevelconfigurations'),
  };
  const writes: Promise<void>[] = [];
  for (const { resource, object, mandatory } of bootstraps(suggested)) {
    const { name = '' } = object.metadata;
    const existing = current[resource].get(name);
    if (existing === undefined) writes.push(store.create(resource, structuredClone(object), fieldManager));
    else if (updateBootstrapObject(existing, object, mandatory) !== undefined) {
      const change = (latest: ConfigObject) => updateBootstrapObject(latest, object, mandatory);
      writes.push(store.update(resource, name, change, fieldManager));
    }
    current[resource].delete(name);
  }
  for (const resource of ['flowschemas', 'prioritylevelconfigurations'] as const) {
    for (const [name, object] of current[resource]) {
      if (parseAutoUpdate(object) === true) writes.push(store.remove(resource, name));
    }
  }
  await Promise.all(writes.map(ignoreNotFoundAndConflict));
}

/**
 * Returns the object with the wanted spec and annotation, or undefined if it has them already. May change `current`.
 * (ensurer/strategy.go ShouldUpdate)
 */
export function updateBootstrapObject(current: ConfigObject, wanted: ConfigObject, mandatory: boolean): ConfigObject | undefined {
  // without the annotation, a spec that was never changed is maintained
  const autoUpdate = mandatory || (parseAutoUpdate(current) ?? current.metadata.generation === 1);
  const specDiffers = autoUpdate && !specsEqual(withWantedExempt(current.spec, wanted.spec), wanted.spec);
  if (parseAutoUpdate(current) === autoUpdate && !specDiffers) return undefined;
  current.metadata.annotations = { ...current.metadata.annotations, [autoUpdateAnnotation]: String(autoUpdate) };
  if (specDiffers && wanted.spec) current.spec = structuredClone(wanted.spec);
  return current;
}

/** Returns undefined if the annotation is missing or no boolean. */
function parseAutoUpdate({ metadata }: ConfigObject): boolean | undefined {
  const value = metadata.annotations?.[autoUpdateAnnotation];
  return value === undefined ? undefined : parseGoBool(value);
}

/** Users may configure the field `exempt` of the mandatory level, so a difference there does not count. */
function withWantedExempt(spec: unknown, wanted: unknown): unknown {
  return hasExempt(spec) && hasExempt(wanted) ? { ...spec, exempt: wanted.exempt } : spec;
}

const hasExempt = (spec: unknown): spec is { readonly exempt: object } =>
  typeof spec === 'object' && spec !== null && 'exempt' in spec && Boolean(spec.exempt);

/** Reports whether the specs are equal apart from fields that Go omits from JSON: false and empty lists. */
export function specsEqual(a: unknown, b: unknown): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  const [fieldsOfA, fieldsOfB] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => specsEqual(fieldsOfA[name], fieldsOfB[name]));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

function byName(store: ConfigStore, resource: ConfigResource): Map<string, ConfigObject> {
  return new Map(store.list(resource).map((object) => [object.metadata.name ?? '', object]));
}
