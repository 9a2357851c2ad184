import type { ApiContext } from '../../http/context.ts';
import type { Query } from '../../http/query-string.ts';
import type { KubeletView } from './kubelet-view.ts';

/** A request for a kubelet. */
export interface KubeletRequest {
  readonly ctx: ApiContext;
  /** The path of the kubelet's own URL. */
  readonly path: string;
  readonly query: Query;
  view(): KubeletView;
}
