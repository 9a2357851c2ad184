import type { ApiGroup } from '../machinery/api-group.ts';

/** Which APIs a server has. (kube-apiserver: pkg/server/options/api_enablement.go) */
export interface APIEnablementOptions {
  /**
   * Kubernetes' own groups: all of them (true, the default), only those of a generic control plane (false: namespaces,
   * events, access control, custom resources, flow control, leases), or the generated groups of another release.
   */
  readonly builtin?: boolean | ApiGroup | undefined;
  /** The Kubernetes release whose groups these are, for example `1.33`. Default: the newest that is served in full. */
  readonly kubernetes?: string | undefined;
  /** Further groups. Default: none. */
  readonly groups?: readonly ApiGroup[] | undefined;
  /** For example `apps/v1=false`, `api/beta=false`. */
  readonly runtimeConfig?: readonly string[] | undefined;
}
