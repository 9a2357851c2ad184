import type { ControllerRevision } from '../../../generated/v1.35/apps/v1/types.ts';
import { fnv32 } from '../../machinery/go/fnv.ts';
import { safeEncodeString } from '../../machinery/go/safe-encode.ts';
import { equalJson, stableText } from '../../machinery/json/equality.ts';
import { htmlSafe } from '../../machinery/json/html-safe.ts';
import { parseRawJson } from '../../machinery/json/raw-json.ts';
import type { JsonObject, ObjectMeta, OwnerReference } from '../../machinery/object.ts';

/** The label with the hash of a revision's data. (pkg/controller/history) */
export const controllerRevisionHashLabel = 'controller.kubernetes.io/hash';

/** A revision before its creation. */
export interface NewRevision {
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly data: JsonObject;
  readonly revision: number;
}

export interface NewRevisionOptions {
  readonly parent: string;
  readonly controllerRef: OwnerReference;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly data: JsonObject;
  readonly revision: number;
  readonly collisionCount: number;
}

/** (NewControllerRevision) */
export function newControllerRevision(options: NewRevisionOptions): NewRevision {
  const { parent, controllerRef, labels, annotations, revision, collisionCount } = options;
  const text = stableText(options.data);
  const hash = hashControllerRevision(text, collisionCount);
  return {
    metadata: {
      name: controllerRevisionName(parent, hash),
      labels: { ...labels, [controllerRevisionHashLabel]: hash },
      ...(annotations && { annotations: { ...annotations } }),
      ownerReferences: [controllerRef],
    },
    // with the members in the order of the hash
    data: parseRawJson(Buffer.from(text)) as JsonObject,
    revision,
  };
}

/**
 * Returns upstream's hash, computed from the JSON that Go writes, with sorted members. (HashControllerRevision)
 *
 * @param text the data as stable text
 */
export function hashControllerRevision(text: string, collisionCount: number): string {
  return safeEncodeString(String(fnv32(htmlSafe(text) + collisionCount)));
}

/** Returns a name of at most 253 characters. (ControllerRevisionName) */
export function controllerRevisionName(prefix: string, hash: string): string {
  return `${prefix.slice(0, maxPrefixLength)}-${hash}`;
}

const maxPrefixLength = 223;

/** Reports whether two revisions restore the same state. (EqualRevision) */
export function equalRevision(a: Pick<NewRevision, 'data'> | ControllerRevision, b: ControllerRevision): boolean {
  return equalJson(a.data, b.data);
}

/** Sorts revisions, oldest first. (SortControllerRevisions) */
export function sortControllerRevisions(revisions: Iterable<ControllerRevision>): ControllerRevision[] {
  return [...revisions].sort(
    (a, b) =>
      a.revision - b.revision ||
      Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? '') ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
}

/** Returns the largest number of sorted revisions plus one. (nextRevision) */
export function nextRevision(sorted: readonly ControllerRevision[]): number {
  return (sorted.at(-1)?.revision ?? 0) + 1;
}

/** Returns the data of a revision: a patch that replaces the template. (getPatch) */
export function templatePatch(template: object | undefined): JsonObject {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}
