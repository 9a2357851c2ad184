import { messageOf } from '../machinery/errors/message-of.ts';
import type { KubeObject, ManagedFieldsEntry } from '../machinery/object.ts';
import { decodeManagedFields } from '../patch/managed-fields/managed-fields.ts';

const invalid =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests';

/**
 * Restores the managed fields from before admission, and adds a warning, if admission has made them invalid.
 * (endpoints/handlers/fieldmanager/admission.go)
 */
export function restoreManagedFields(
  { metadata }: KubeObject,
  before: ManagedFieldsEntry[] | undefined,
  warn: (text: string) => void,
): void {
  const { managedFields } = metadata;
  // most plugins do not change them
  if (managedFields === before) return;
  try {
    decodeManagedFields(managedFields);
  } catch (error) {
    if (before === undefined) delete metadata.managedFields;
    else metadata.managedFields = before;
    warn(`${invalid}: ${messageOf(error)}`);
  }
}
