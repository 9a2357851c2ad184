import type { KubeObject, Part } from '../../machinery/object.ts';
import { autoUpdateAnnotation, autoUpdateOf } from '../bootstrap/auto-update.ts';
import { mandatoryFlowSchemas, suggestedFlowSchemas } from '../bootstrap/flow-schemas.ts';
import { mandatoryPriorityLevels, suggestedPriorityLevels } from '../bootstrap/priority-levels.ts';
import { type ConfigResource, type ConfigStore, unlessOvertaken } from './config-store.ts';

/** As the objects' managedFields name who made them. */
const producer = 'api-priority-and-fairness-config-producer-v1';

interface Bootstrap {
  readonly resource: ConfigResource;
  readonly object: KubeObject;
  /** The spec is not the operator's to change. */
  readonly mandatory: boolean;
}

const bootstraps: readonly Bootstrap[] = [
  ...suggestedFlowSchemas.map((object) => bootstrap('flowschemas', object, false)),
  ...suggestedPriorityLevels.map((object) => bootstrap('prioritylevelconfigurations', object, false)),
  ...mandatoryFlowSchemas.map((object) => bootstrap('flowschemas', object, true)),
  ...mandatoryPriorityLevels.map((object) => bootstrap('prioritylevelconfigurations', object, true)),
];

function bootstrap(resource: ConfigResource, object: KubeObject, mandatory: boolean): Bootstrap {
  return { resource, object, mandatory };
}

/**
 * Makes the objects that every cluster has what they should be: missing ones are made; specs that nobody took over are
 * kept as they were made; objects of ours that we know no more are removed. Writes nothing when all is well.
 * (kubernetes pkg/registry/flowcontrol/ensurer)
 */
export async function ensureBootstrap(store: ConfigStore): Promise<void> {
  const current = {
    flowschemas: byName(store, 'flowschemas'),
    prioritylevelconfigurations: byName(store, 'prioritylevelconfigurations'),
  };
  const writes: Promise<void>[] = [];
  for (const { resource, object, mandatory } of bootstraps) {
    const { name = '' } = object.metadata;
    const found = current[resource].get(name);
    if (found === undefined) writes.push(store.create(resource, structuredClone(object), producer));
    else if (corrected(found, object, mandatory) !== undefined) {
      writes.push(store.update(resource, name, (now) => corrected(now, object, mandatory), producer));
    }
    current[resource].delete(name);
  }
  for (const resource of ['flowschemas', 'prioritylevelconfigurations'] as const) {
    for (const [name, object] of current[resource]) {
      if (autoUpdateOf(object) === true) writes.push(store.remove(resource, name));
    }
  }
  await Promise.all(writes.map(unlessOvertaken));
}

/** What the object should be; undefined where it is that already. May change `current`. */
export function corrected(current: KubeObject, wanted: KubeObject, mandatory: boolean): KubeObject | undefined {
  // a spec that was never changed is ours, whatever became of the annotation
  const ours = mandatory || (autoUpdateOf(current) ?? current.metadata.generation === 1);
  const specDiffers = ours && !sameSpec(lendingAside(current.spec, wanted.spec), wanted.spec);
  if (autoUpdateOf(current) === ours && !specDiffers) return undefined;
  current.metadata.annotations = { ...current.metadata.annotations, [autoUpdateAnnotation]: String(ours) };
  if (specDiffers) current.spec = structuredClone(wanted.spec);
  return current;
}

/** What the exempt level has and lends is the one thing of the mandatory objects that an operator may set. */
function lendingAside(spec: Part, wanted: Part): Part {
  return wanted.exempt && spec.exempt ? { ...spec, exempt: wanted.exempt } : spec;
}

/** What Go leaves out of JSON counts as absent: false, and lists of nothing. */
export function sameSpec(one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one) && one.length !== (other as unknown[]).length) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameSpec(a[key], b[key]));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

function byName(store: ConfigStore, resource: ConfigResource): Map<string, KubeObject> {
  return new Map(store.list(resource).map((object) => [object.metadata.name ?? '', object]));
}
