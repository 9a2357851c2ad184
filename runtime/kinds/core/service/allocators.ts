import type { IPFamily } from './cluster-ip-range.ts';

/** The service that something is allocated for. */
export interface ServiceName {
  readonly namespace: string;
  readonly name: string;
}

interface AllocationRequest {
  readonly service: ServiceName;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Nothing is recorded, and dynamic values are made up. */
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
  /** Nothing is left. */
  readonly isFull?: boolean;
}

export const isAllocationFailure = (result: string | number | AllocationFailure): result is AllocationFailure => typeof result === 'object';

/** What services get from the cluster's ranges. (pkg/registry/core/service/storage/alloc.go Allocators) */
export interface ServiceAllocators {
  /** The families of the cluster, the default first. */
  readonly families: readonly IPFamily[];
  allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure>;
  /** Does nothing if the address is not allocated. */
  releaseClusterIP(address: string, service: ServiceName): Promise<void>;
  allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure>;
  /** Does nothing for ports that are not allocated. */
  releaseNodePorts(ports: readonly number[]): Promise<void>;
}
