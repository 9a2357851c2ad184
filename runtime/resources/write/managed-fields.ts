import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { asDecoded } from '../decoded.ts';
import type { ChangeContext } from '../rest.ts';

/**
 * Makes the writer the manager of the fields in which an object differs from what it was: of all fields of a new object. Managed
 * fields stay as they are if the writer is no manager.
 */
export function ownFields(object: KubeObject, write: ChangeContext): KubeObject | Promise<KubeObject> {
  const { changed, fieldManager } = write;
  const decoded = asDecoded(object, write);
  if (fieldManager === undefined || object.kind !== changed.kind) return decoded;
  return ownFieldsAs(fieldManager, decoded, write);
}

async function ownFieldsAs(fieldManager: string, object: KubeObject, write: ChangeContext): Promise<KubeObject> {
  const { changed, subresource, before, fieldManagers } = write;
  const live = before ?? fieldManagers.empty(changed);
  const manager = await fieldManagers.of(changed, subresource, live, object);
  return fieldManagers.run(changed, () => manager.update(live, object, fieldManager));
}

/** Who applies. */
export interface Applier {
  readonly manager: string;
  /** Takes over the fields of other managers, which otherwise are a conflict. */
  readonly force: boolean;
}

/** Returns a copy of the object, or a new one if there is none, with what a configuration wants. @throws StatusError 409 */
export async function applyFields(config: KubeObject, { manager, force }: Applier, write: ChangeContext): Promise<KubeObject> {
  const { changed, subresource, before, fieldManagers } = write;
  const live = before === undefined ? fieldManagers.empty(changed) : cloneJson(before);
  const managers = await fieldManagers.of(changed, subresource, live);
  return fieldManagers.run(changed, () => managers.apply(live, config, manager, force));
}
