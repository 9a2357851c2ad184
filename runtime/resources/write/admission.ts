import type { KubeObject } from '../../machinery/object.ts';
import { dedupOwnerReferencesAndAddWarning } from '../owner-references.ts';
import type { WriteTarget } from '../rest.ts';
import { restoreManagedFields } from '../restore-managed-fields.ts';
import { WriteAttributes } from './attributes.ts';
import type { Write } from './write.ts';

type AnyWrite = Write<WriteTarget, unknown>;

/*
 * The steps of a write that call admission plugins. (apiserver pkg/registry/rest AdmissionToValidateObjectFunc and its
 * like)
 */

/** Lets plugins change the object, or the view of a subresource. */
export function admit(write: AnyWrite): void | Promise<void> {
  const { admission, object, before } = write;
  if (admission === undefined) return;
  const attributes = new WriteAttributes(write, object, before);
  const { managedFields } = object.metadata;
  const admitted = (): void => {
    const result = attributes.object as KubeObject;
    restoreManagedFields(result, managedFields, write.warn);
    dedupOwnerReferencesAndAddWarning(result, write.warn, 'admitted');
    write.object = result;
  };
  const pending = admission.admit(attributes);
  return pending === undefined ? admitted() : pending.then(admitted);
}

/** Lets plugins refuse the object before it is stored. For a subresource with a view, they see the view. */
export function validateAdmission(write: AnyWrite): void | Promise<void> {
  const { admission, object, old, target } = write;
  if (admission === undefined) return;
  write.reportOutcome(false);
  const { view } = target;
  return admission.validate(
    view === undefined ? new WriteAttributes(write, object, old) : new WriteAttributes(write, view.of(object), old && view.of(old)),
  );
}

/** Lets plugins refuse a deletion. */
export const admitDeletion = (write: AnyWrite): void | Promise<void> => admitAtOnce(write, undefined, write.old);

/** Lets plugins refuse a connection. They see its options as the object, for example PodExecOptions. */
export const admitConnection = (write: AnyWrite): void | Promise<void> => admitAtOnce(write, write.object, undefined);

function admitAtOnce(write: AnyWrite, object: KubeObject | undefined, old: KubeObject | undefined): void | Promise<void> {
  const { admission } = write;
  if (admission === undefined) return;
  const attributes = new WriteAttributes(write, object, old);
  const pending = admission.admit(attributes);
  return pending === undefined ? admission.validate(attributes) : pending.then(() => admission.validate(attributes));
}

/** Repeats checks right before a new object is stored. See Admission.recheck. */
export function recheckAdmission(write: AnyWrite): void {
  write.admission?.recheck(new WriteAttributes(write, write.object, undefined));
}
