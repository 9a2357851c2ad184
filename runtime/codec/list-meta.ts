/** metav1.ListMeta in its JSON shape: what a list says of itself. */
export interface ListMeta {
  readonly resourceVersion?: string;
  /** "" and undefined are the last page. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Without what is empty, in Go's order. */
export function listMetaObject(meta: ListMeta): ListMeta {
  return {
    ...(meta.resourceVersion ? { resourceVersion: meta.resourceVersion } : {}),
    ...(meta.continue ? { continue: meta.continue } : {}),
    ...(meta.remainingItemCount === undefined ? {} : { remainingItemCount: meta.remainingItemCount }),
  };
}
