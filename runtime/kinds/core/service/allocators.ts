import type { IPFamily } from './cluster-ip-range.ts';

/** The service of an allocation. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

interface AllocationRequest {
  readonly service: ServiceName;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Records nothing, and makes up dynamic values. */
  readonly dryRun: boolean;
}

export interface ClusterIPRequest extends AllocationRequest {
  readonly family: IPFamily;
  /** "" for any free address of the family. */
  readonly address: string;
}

export interface NodePortRequest extends AllocationRequest {
  /** 0 for any free port. */
  readonly port: number;
}

export interface AllocationFailure {
  readonly failure: string;
  /** Whether the range is full. */
  readonly isFull?: boolean;
}

export const isAllocationFailure = (result: string | number | AllocationFailure): result is AllocationFailure => typeof result === 'object';

/** Allocates addresses and ports from the cluster's ranges. (pkg/registry/core/service/storage/alloc.go Allocators) */
export interface ServiceAllocators {
  /** The families of the cluster, the default first. */
  readonly families: readonly IPFamily[];
  allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure>;
  /** Releases an address. Ignores one that is not allocated. */
  releaseClusterIP(address: string, service: ServiceName): Promise<void>;
  allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure>;
  /** Releases ports. Ignores those that are not allocated. */
  releaseNodePorts(ports: readonly number[]): Promise<void>;
}
