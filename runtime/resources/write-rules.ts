import { cloneJson } from '../machinery/json/clone.ts';
import { equalJson, equalPruned } from '../machinery/json/equality.ts';
import { memberOf, setMember } from '../machinery/json/values.ts';
import { type KubeObject, unstructuredContent } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import { hasDropped } from '../machinery/prune/dropped-values.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';

/** Replaces the status of a client's new object by the initial status. */
export function prepareStatusForCreate(object: KubeObject, { writeRules, type }: ResourceDefinition): void {
  if (writeRules.statusFields.length === 0 || writeRules.openStatus !== undefined) return;
  const content = unstructuredContent(object);
  for (const field of writeRules.statusFields) delete content[field];
  if (writeRules.initialStatus) content.status = cloneJson(writeRules.initialStatus);
  addEmptyFields(object, type, writeRules.statusFields);
}

/** Adds the fields that Go writes even if they are empty: `status: {}`. */
function addEmptyFields(object: KubeObject, type: ResourceDefinition['type'], fields: readonly string[]): void {
  const content = unstructuredContent(object);
  const missing = fields.filter((field) => content[field] === undefined);
  if (missing.length === 0) return;
  const empty = unstructuredContent(type.prune({ metadata: {} }, new PruneContext()));
  for (const field of missing) if (empty[field] !== undefined) content[field] = empty[field];
}

/** Restores the status in a write to the resource itself. Strategies may change it after that. */
export function keepStatus(object: KubeObject, old: KubeObject, { writeRules }: ResourceDefinition): void {
  if (writeRules.openStatus === 'always') return;
  for (const field of writeRules.statusFields) copyField(object, old, field, cloneJson);
}

/**
 * Restores everything but the status in a write to the status subresource, including metadata that the rules keep.
 * The object shares these parts with the old one.
 */
export function keepAllButStatus(object: KubeObject, old: KubeObject, { writeRules }: ResourceDefinition): void {
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const field of fields) {
    if (field === 'metadata' || writeRules.statusFields.includes(field)) continue;
    copyField(object, old, field);
  }
  for (const field of writeRules.statusKeepsMetadata ?? []) copyField(object.metadata, old.metadata, field);
}

const shared = (value: unknown): unknown => value;

function copyField(object: object, old: object, field: string, copy = shared): void {
  const target = object as Record<string, unknown>;
  const value = memberOf(old, field);
  if (value === undefined) delete target[field];
  else setMember(target, field, copy(value));
}

/**
 * Reports whether a write changes more than metadata and status, and so increases metadata.generation. Labels and
 * annotations count if the rules say so.
 */
export function changesGeneration(object: KubeObject, old: KubeObject, { writeRules }: ResourceDefinition): boolean {
  if (writeRules.annotationsCount && !equalJson(object.metadata.annotations ?? {}, old.metadata.annotations ?? {})) {
    return true;
  }
  if (writeRules.labelsCount && !equalJson(object.metadata.labels ?? {}, old.metadata.labels ?? {})) return true;
  const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const field of fields) {
    if (field === 'metadata' || field === 'apiVersion' || field === 'kind' || writeRules.statusFields.includes(field)) continue;
    const [now, before] = [memberOf(object, field), memberOf(old, field)];
    if (writeRules.emptyCounts ? hasDropped(now) || !equalJson(now, before) : !equalPruned(now, before)) return true;
  }
  return false;
}
