import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { maxUint64 } from '../machinery/scalars/integers.ts';
import { alreadyExists, generateNameConflict, plainError } from '../machinery/status.ts';
import type { WriteContext } from './hooks.ts';
import { fillNewMetadata, generateName } from './metadata.ts';
import { requireNamespace } from './namespace-lifecycle.ts';
import type { ResourceStore } from './resource-store.ts';
import type { Written } from './result.ts';
import { prepareStatusForCreate } from './strategy.ts';
import { validateNew } from './validation.ts';
import { writeStored } from './views.ts';
import { tellWarnings } from './warnings.ts';

/** How often a generated name is drawn again when it is taken. (apiserver maxNameGenerationCreateAttempts) */
const nameAttempts = 8;

/** Makes a new object of one at the version of the request. @throws StatusError 403, 404, 409, 422 */
export async function createObject(store: ResourceStore, asked: KubeObject, context: WriteContext): Promise<Written> {
  const { name, generateName: base } = asked.metadata;
  await requireNamespace(context, name || base || 'Unknown');
  const object = await ownNew(asked, context);
  const generated = !object.metadata.name && object.metadata.generateName;
  for (let attempt = 1; ; attempt++) {
    const candidate = generated ? cloneJson(object) : object;
    if (generated) candidate.metadata.name = generateName(object.metadata.generateName as string);
    const written = await tryCreate(store, candidate, context);
    if (written !== undefined) return written;
    if (generated && attempt < nameAttempts) continue;
    const { name: taken = '' } = candidate.metadata;
    // upstream asks for a base only, not whether the name came of it
    throw object.metadata.generateName
      ? generateNameConflict(context.definition, taken, 1)
      : alreadyExists(context.definition, taken);
  }
}

/** All that the object brings belongs to its maker. */
async function ownNew(object: KubeObject, { definition, fieldManager, stores }: WriteContext): Promise<KubeObject> {
  if (fieldManager === undefined) return object;
  const { fieldManagers } = stores;
  const manager = await fieldManagers.of(definition, '', object);
  return fieldManagers.run(definition, () => manager.update(fieldManagers.empty(definition), object, fieldManager));
}

/** Undefined: the name is taken. */
async function tryCreate(
  store: ResourceStore,
  object: KubeObject,
  context: WriteContext,
): Promise<Written | undefined> {
  const { definition, namespace } = context;
  const { resourceVersion = '' } = object.metadata;
  prepareForCreate(object, context);
  if (store.hooks.prepareForCreate) {
    await store.hooks.prepareForCreate(object, context);
    // upstream fills in defaults whenever it reads an object, the one just written too
    definition.type.setDefaults(object);
  }
  validateNew(object, context);
  tellWarnings(store.hooks, object, undefined, context, 'main');
  const { name = '' } = object.metadata;
  if (namesRevision(resourceVersion)) {
    throw plainError('resourceVersion should not be set on objects to be created');
  }
  if (context.dryRun) {
    return store.collection.latest().get(namespace, name) ? undefined : { kind: 'object', object };
  }
  // hooks and conversions take their time, in which a namespace may go
  await requireNamespace(context, name);
  const stored = await writeStored(definition, object, (one) => store.collection.create(one));
  return stored && { kind: 'stored', stored };
}

/** What is no number, or none of 64 bits, is ignored. (apiserver storage/etcd3 Create, APIObjectVersioner) */
function namesRevision(text: string): boolean {
  const digits = /^0*([1-9][0-9]{0,19})$/.exec(text)?.[1];
  return digits !== undefined && BigInt(digits) <= maxUint64;
}

function prepareForCreate(object: KubeObject, context: WriteContext): void {
  const { definition, namespace, now } = context;
  fillNewMetadata(object, definition.namespaced ? namespace : '', now);
  if (definition.strategy.generation) object.metadata.generation = 1;
  else delete object.metadata.generation;
  prepareStatusForCreate(object, definition);
}
