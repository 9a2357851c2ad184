import { cloneJson } from '../../machinery/json/clone.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { asDecoded } from '../decoded.ts';
import type { ChangeContext } from '../rest.ts';

/**
 * Makes the writer the manager of the fields that it changed, or of all fields of a new object. Without a field
 * manager, managed fields stay unchanged.
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

/** The field manager of an apply. */
export interface Applier {
  readonly manager: string;
  /** Takes over fields of other managers instead of failing with a conflict. */
  readonly force: boolean;
}

/** Returns a copy of the object, or a new object, with the configuration merged into it. @throws StatusError 409 */
export async function applyFields(config: KubeObject, { manager, force }: Applier, write: ChangeContext): Promise<KubeObject> {
  const { changed, subresource, before, fieldManagers } = write;
  const live = before === undefined ? fieldManagers.empty(changed) : cloneJson(before);
  const managers = await fieldManagers.of(changed, subresource, live);
  return fieldManagers.run(changed, () => managers.apply(live, config, manager, force));
}
