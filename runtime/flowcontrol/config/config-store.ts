import type { KubeObject } from '../../machinery/object.ts';
import { isStatusError } from '../../machinery/status.ts';

/** The two plurals that configure flow control. */
export type ConfigResource = 'flowschemas' | 'prioritylevelconfigurations';

/**
 * Where flow control's objects are kept. Objects are handed out as copies; writes reject with a StatusError, of which
 * those for objects that were changed or are gone meanwhile are expected.
 */
export interface ConfigStore {
  list(resource: ConfigResource): readonly KubeObject[];
  /** Calls back after every change, at once; the returned function ends it. */
  watch(onChange: () => void): () => void;
  /** @param manager who owns what is written, in metadata.managedFields */
  create(resource: ConfigResource, object: KubeObject, manager: string): Promise<void>;
  /** @param change makes the new object of the current one; undefined leaves it as it is */
  update(
    resource: ConfigResource,
    name: string,
    change: (current: KubeObject) => KubeObject | undefined,
    manager: string,
  ): Promise<void>;
  /** Server-side apply of a status, with force: what `manager` does not own stays. */
  applyStatus(resource: ConfigResource, name: string, status: object, manager: string): Promise<void>;
  remove(resource: ConfigResource, name: string): Promise<void>;
}

/** Somebody else was faster; what they did is looked at the next time. */
export async function unlessOvertaken(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isStatusError(error) || (error.status.code !== 404 && error.status.code !== 409)) throw error;
  }
}
