import { type Prefix, parsePrefixSloppy } from '../../../machinery/scalars/netip.ts';

/** The ports from `base` on. (apimachinery pkg/util/net PortRange) */
export interface PortRange {
  readonly base: number;
  readonly size: number;
}

export const portRangeText = ({ base, size }: PortRange): string => `${base}-${base + size - 1}`;

/** (pkg/registry/core/rest ServicesConfig) */
export interface ServicesConfig {
  /** One or two ranges, of different families. The family of the first is the default. */
  readonly clusterIPRanges: readonly Prefix[];
  readonly nodePortRange: PortRange;
}

/** kubeadm's ranges, for a dual-stack cluster. */
export const defaultClusterIPRanges = '10.96.0.0/12,fd00:10:96::/112';

export const defaultNodePortRange: PortRange = { base: 30000, size: 2768 };

export const defaultServicesConfig: ServicesConfig = {
  clusterIPRanges: defaultClusterIPRanges.split(',').map((cidr) => parsePrefixSloppy(cidr) as Prefix),
  nodePortRange: defaultNodePortRange,
};
