import { fieldOf, hasKeys, itemOf, listKeys } from './field-trees.ts';
import { type FieldTree, isRecord, isSame, type KubeObject, type ManagedFields } from './kube-object.ts';

/** The field manager of edits. */
export const pageManager = 'kubeloom-page';

/** What server-side apply is sent for an edit. */
export interface ApplyConfiguration {
  /** The changed fields, and those that the page has applied before. */
  readonly configuration: Record<string, unknown>;
  /** Fields that the edit removes although others own them. Apply cannot remove them. */
  readonly kept: readonly string[];
  readonly isEmpty: boolean;
}

/** Fields of metadata that the server sets. */
const ownedByServer = ['managedFields', 'resourceVersion', 'uid', 'creationTimestamp', 'generation', 'selfLink', 'deletionTimestamp'];

/** Returns the smallest configuration that makes `before` like `after`. */
export function applyConfiguration(before: KubeObject, after: KubeObject): ApplyConfiguration {
  const entries: readonly ManagedFields[] = before.metadata.managedFields ?? [];
  const own = entries.find(({ manager, operation, subresource }) => manager === pageManager && operation === 'Apply' && !subresource);
  const trees = entries.map(({ fieldsV1 }) => fieldsV1);
  const kept: string[] = [];
  const [from, to] = [editable(before), editable(after)];
  const changed = changes(from, to, { own: own?.fieldsV1, trees, path: '', kept });
  const { apiVersion, kind, metadata } = before;
  const changedMetadata = isRecord(changed) && isRecord(changed.metadata) ? changed.metadata : {};
  const place = { name: metadata.name, ...(metadata.namespace && { namespace: metadata.namespace }) };
  const configuration = { ...(isRecord(changed) ? changed : {}), apiVersion, kind, metadata: { ...changedMetadata, ...place } };
  return { configuration, kept, isEmpty: isSame(from, to) };
}

function editable(object: KubeObject): Record<string, unknown> {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([name]) => !ownedByServer.includes(name)));
  const { status: _, ...rest } = object;
  return { ...rest, metadata };
}

interface Place {
  readonly own: FieldTree | undefined;
  readonly trees: readonly (FieldTree | undefined)[];
  readonly path: string;
  readonly kept: string[];
}

/** Returns the part of `after` that is changed or already the page's; undefined for none. */
function changes(before: unknown, after: unknown, place: Place): unknown {
  if (isRecord(before) && isRecord(after)) return changedFields(before, after, place);
  const keys = Array.isArray(before) && Array.isArray(after) ? listKeys(place.trees) : undefined;
  if (keys !== undefined) return changedItems(before as unknown[], after as unknown[], keys, place);
  return isSame(before, after) && place.own === undefined ? undefined : after;
}

function changedFields(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>, place: Place): unknown {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    const own = fieldOf(place.own, name);
    const inside = { ...place, own, trees: place.trees.map((tree) => fieldOf(tree, name)), path: `${place.path}.${name}` };
    const part = Object.hasOwn(before, name) ? changes(before[name], value, inside) : value;
    if (part !== undefined) changed[name] = part;
  }
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name) && fieldOf(place.own, name) === undefined) place.kept.push(`${place.path}.${name}`);
  }
  return Object.keys(changed).length === 0 && place.own === undefined ? undefined : changed;
}

function changedItems(before: readonly unknown[], after: readonly unknown[], keys: readonly string[], place: Place): unknown {
  const keysOf = (item: unknown): Record<string, unknown> =>
    Object.fromEntries(keys.flatMap((key) => (isRecord(item) && item[key] !== undefined ? [[key, item[key]]] : [])));
  const changed: unknown[] = [];
  for (const item of after) {
    const own = keysOf(item);
    const at = before.findIndex((other) => hasKeys(other, own));
    if (at < 0) {
      changed.push(item);
      continue;
    }
    const inside = {
      ...place,
      own: itemOf(place.own, item, at),
      trees: place.trees.map((tree) => itemOf(tree, item, at)),
      path: `${place.path}[${Object.entries(own)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`,
    };
    const part = changes(before[at], item, inside);
    if (isRecord(part)) changed.push({ ...own, ...part });
  }
  for (const item of before) {
    const own = keysOf(item);
    if (!after.some((other) => hasKeys(other, own)) && itemOf(place.own, item, -1) === undefined)
      place.kept.push(`${place.path}[${JSON.stringify(own)}]`);
  }
  return changed.length === 0 && place.own === undefined ? undefined : changed;
}
