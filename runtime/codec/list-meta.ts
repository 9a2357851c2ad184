import { defined } from '../machinery/json/defined.ts';

/** metav1.ListMeta in its JSON shape. */
export interface ListMeta {
  readonly resourceVersion?: string;
  /** The continue token; "" or undefined on the last page. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/**
 * Returns the members in Go's order, without empty fields.
 *
 * @param isUnstructured whether the list is an UnstructuredList, which keeps an empty `continue`. Default: false
 */
export function listMetaObject(meta: ListMeta, isUnstructured = false): ListMeta {
  return {
    ...(meta.resourceVersion ? { resourceVersion: meta.resourceVersion } : {}),
    ...(meta.continue || isUnstructured ? { continue: meta.continue ?? '' } : {}),
    ...defined({ remainingItemCount: meta.remainingItemCount }),
  };
}
