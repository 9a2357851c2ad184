/** metav1.ListMeta in its JSON shape. */
export interface ListMeta {
  readonly resourceVersion?: string;
  /** "" or undefined on the last page. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** In Go's order, without empty fields. */
export function listMetaObject(meta: ListMeta): ListMeta {
  return {
    ...(meta.resourceVersion ? { resourceVersion: meta.resourceVersion } : {}),
    ...(meta.continue ? { continue: meta.continue } : {}),
    ...(meta.remainingItemCount === undefined ? {} : { remainingItemCount: meta.remainingItemCount }),
  };
}
