import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from '../objects.ts';

/** The resources that configure flow control. */
export type ConfigResource = 'flowschemas' | 'prioritylevelconfigurations';

/** An object of either resource. */
export interface ConfigObject extends KubeObject {
  spec?: FlowSchemaSpec | PriorityLevelConfigurationSpec;
}

/**
 * Where flow control's objects are stored. Objects are returned as copies. Writes reject with a StatusError, among
 * others if the object was changed or deleted in the meantime.
 */
export interface ConfigStore {
  list(resource: ConfigResource): readonly ConfigObject[];
  /** Calls back synchronously after every change until the returned function is called. */
  watch(onChange: () => void): () => void;
  /** @param manager the field manager */
  create(resource: ConfigResource, object: ConfigObject, manager: string): Promise<void>;
  /** @param change returns the new object, or undefined for no change */
  update(
    resource: ConfigResource,
    name: string,
    change: (current: ConfigObject) => ConfigObject | undefined,
    manager: string,
  ): Promise<void>;
  /** Server-side applies a status, with force. */
  applyStatus(resource: ConfigResource, name: string, status: object, manager: string): Promise<void>;
  remove(resource: ConfigResource, name: string): Promise<void>;
}

/** Ignores a 404 or 409: the other change causes another sync. */
export async function ignoreNotFoundAndConflict(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasStatusCode(error, 404, 409)) throw error;
  }
}
