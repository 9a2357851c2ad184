import type { V1ObjectMeta, V1Pod } from '@kubernetes/client-node';

export const group = 'fleet.example.com';
export const version = 'v1';
export const plural = 'pools';

/** The finalizer that keeps a pool until its members are gone. */
export const finalizer = `${group}/members`;
const poolLabel = `${group}/pool`;

/** A number of pods, kept ready for users. */
export interface Pool {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: V1ObjectMeta;
  readonly spec: {
    readonly size: number;
    readonly image: string;
    /** Seconds from creation until the operator deletes the pool. Default: never. */
    readonly lifetimeSeconds?: number;
  };
  readonly status?: PoolStatus;
}

export interface PoolStatus {
  readonly members: number;
  readonly observedGeneration?: number;
  readonly checkedAt?: string;
}

export const memberLabels = (pool: Pool): Record<string, string> => ({ [poolLabel]: pool.metadata.name ?? '' });

export const memberName = (pool: Pool, ordinal: number): string => `${pool.metadata.name}-${ordinal}`;

/** `namespace/name` of a pool. */
export const keyOf = ({ metadata }: { metadata?: V1ObjectMeta }): string => `${metadata?.namespace}/${metadata?.name}`;

/** Returns the key of a pod's pool; undefined if the pod is not a member. */
export function poolKeyOf({ metadata }: V1Pod): string | undefined {
  const pool = metadata?.labels?.[poolLabel];
  return pool === undefined ? undefined : `${metadata?.namespace}/${pool}`;
}
