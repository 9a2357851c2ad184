import type { KubeObject } from '../machinery/object.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';

/** An object after a write: as it is stored, or, for a dry run, as it would be. */
export type Written =
  | { readonly kind: 'stored'; readonly stored: StoredObject }
  /** At the version of the request. */
  | { readonly kind: 'object'; readonly object: KubeObject };
