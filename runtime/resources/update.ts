import { invalid } from '../machinery/field-error.ts';
import { FieldPath } from '../machinery/field-path.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import { equalJson } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';
import { quoteExcerpt } from '../machinery/quote.ts';
import { conflict, invalid as invalidStatus, notFound, plainError } from '../machinery/status.ts';
import { keepTimesOfNoop } from '../patch/managed-fields/ignore-timestamps.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import { absentError } from './corrupt-objects.ts';
import { createObject } from './create.ts';
import { finishDeletion, isDeletionDue } from './deletion.ts';

import type { WriteContext } from './hooks.ts';
import { keepServerMetadata } from './metadata.ts';
import type { ResourceStore } from './resource-store.ts';
import type { Written } from './result.ts';
import { desiredStateDiffers, keepAllButStatus, keepStatus } from './strategy.ts';
import { validateReplacement } from './validation.ts';
import { isStoredAs, readStored, writeStored } from './views.ts';
import { tellWarnings } from './warnings.ts';

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

export interface UpdateRequest {
  readonly namespace: string;
  readonly name: string;
  /**
   * Makes the new object of the current one, both at the version of the request; runs again when the object changes
   * meanwhile. `undefined` in: there is none. The result may be the argument, changed.
   */
  change(current: KubeObject | undefined): KubeObject | Promise<KubeObject>;
  /** Which part is written: the resource itself, its status, or all of it as other subresources do. */
  readonly part: 'main' | 'status' | 'all';
  /** The write is the server's own bookkeeping, which metadata.generation does not count. */
  readonly keepGeneration?: boolean;
  /** The subresource it is written through, for the resource's own rules; "" or absent for none. */
  readonly subresource?: string;
  /** What `change` gives has its metadata.managedFields already, as server-side apply made them. */
  readonly applies?: boolean;
  /** An absent object is made; where the resource allows it. */
  readonly createIfAbsent: boolean;
  /** PUT without a resourceVersion: allowed only where the resource says so. Patches bring their own. */
  readonly requireVersion: boolean;
}

/** @throws StatusError 404, 409, 422 */
export async function updateObject(
  store: ResourceStore,
  request: UpdateRequest,
  context: WriteContext,
): Promise<Written & { created: boolean }> {
  for (;;) {
    const stored = store.collection.latest().get(request.namespace, request.name);
    if (stored === undefined) return createInstead(store, request, context);
    const written = await tryUpdate(store, stored, request, context);
    if (written !== undefined) return { ...written, created: false };
  }
}

async function createInstead(
  store: ResourceStore,
  request: UpdateRequest,
  context: WriteContext,
): Promise<Written & { created: boolean }> {
  if (!request.createIfAbsent) throw absentError(store, context.definition, request);
  const object = await request.change(undefined);
  if (object.metadata.resourceVersion) throw notFound(context.definition, request.name);
  const creating = request.applies ? { ...context, fieldManager: undefined } : context;
  return { ...(await createObject(store, object, creating)), created: true };
}

/** Undefined: the object changed between reading and writing. */
async function tryUpdate(
  store: ResourceStore,
  stored: StoredObject,
  request: UpdateRequest,
  context: WriteContext,
): Promise<Written | undefined> {
  const { definition } = context;
  const old = await readStored(definition, stored);
  const object = await ownChanges(await request.change(cloneJson(old)), old, request, context);
  requirePreconditions(object, stored, request, context);
  prepareForUpdate(object, old, request.part, context);
  await store.hooks.prepareForUpdate?.(object, old, context, request.part);
  countGeneration(object, old, request, context);
  validateReplacement(object, old, request.part, context);
  tellWarnings(store.hooks, object, old, context, request.part);
  object.metadata.resourceVersion = old.metadata.resourceVersion;
  keepTimesOfNoop(object, old);
  if (equalJson(object, old) && (await isStoredAs(definition, object, stored))) return { kind: 'stored', stored };
  if (isDeletionDue(object, store.hooks)) return finishDeletion(store, stored, object, context);
  if (context.dryRun) return { kind: 'object', object };
  const written = await writeStored(definition, object, (one) => store.collection.update(one, stored.revision));
  return written && { kind: 'stored', stored: written };
}

/** What the writer changed belongs to the writer. */
async function ownChanges(
  object: KubeObject,
  old: KubeObject,
  { applies, subresource = '' }: UpdateRequest,
  { definition, fieldManager, stores }: WriteContext,
): Promise<KubeObject> {
  if (applies || fieldManager === undefined) return object;
  const manager = await stores.fieldManagers.of(definition, subresource, old, object);
  return stores.fieldManagers.run(definition, () => manager.update(old, object, fieldManager));
}

/** What the writer believes of the object must be so. (apiserver registry/generic/registry/store.go Update) */
function requirePreconditions(
  object: KubeObject,
  stored: StoredObject,
  request: UpdateRequest,
  { definition }: WriteContext,
): void {
  const { metadata } = object;
  const version = sentVersion(metadata.resourceVersion ?? '');
  if (version !== 0 && version !== stored.revision) throw conflict(definition, request.name, modified);
  if (version === 0 && request.requireVersion && !definition.strategy.unconditionalUpdate) {
    const path = FieldPath.of('metadata', 'resourceVersion');
    // the plural in place of the kind, as upstream
    const kind = { group: definition.group, kind: definition.resource };
    throw invalidStatus(kind, request.name, [invalid(path, 0, 'must be specified for an update')]);
  }
  if (metadata.uid && metadata.uid !== stored.uid) {
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${stored.uid}`;
    throw conflict(definition, request.name, why);
  }
}

/** 0 where none is sent. What is no number is nothing that upstream has an answer of its own for. */
function sentVersion(text: string): number {
  if (text !== '' && !/^[0-9]+$/.test(text)) {
    throw plainError(`strconv.ParseUint: parsing ${quoteExcerpt(text)}: invalid syntax`);
  }
  return Number(text);
}

function prepareForUpdate(
  object: KubeObject,
  old: KubeObject,
  part: UpdateRequest['part'],
  { definition }: WriteContext,
): void {
  if (!object.metadata.namespace && old.metadata.namespace) object.metadata.namespace = old.metadata.namespace;
  keepServerMetadata(object.metadata, old.metadata);
  if (part === 'main') keepStatus(object, old, definition);
  if (part === 'status') keepAllButStatus(object, old, definition);
}

/** Comes last: what the rules took back was no change. */
function countGeneration(
  object: KubeObject,
  old: KubeObject,
  { part, keepGeneration }: UpdateRequest,
  { definition }: WriteContext,
): void {
  if (!definition.strategy.generation || part === 'status' || keepGeneration) return;
  if (desiredStateDiffers(object, old, definition)) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}
