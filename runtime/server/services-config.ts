import { isIP } from 'node:net';
import { type PortRange, portRangeText, type ServicesConfig } from '../kinds/core/service/services-config.ts';
import { elementAt } from '../machinery/collections/element-at.ts';
import {
  type Address,
  addOffset,
  bitLength,
  type Prefix,
  parseAddressSloppy,
  parsePrefixSloppy,
  prefixText,
} from '../machinery/scalars/netip.ts';
import { serviceDefaults } from '../options/misc.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';

/** The least number of host bits in the first range: 8 addresses. */
const minAddressBits = 3;

/**
 * Reads the options of services. (kube-apiserver: app/options/completion.go, validation.go)
 *
 * @throws OptionError
 */
export function parseServicesConfig(options: ServerOptions): ServicesConfig {
  const config = {
    clusterIPRanges: parseClusterIPRanges(options.serviceClusterIpRange || serviceDefaults.clusterIPRange),
    nodePortRange: parsePortRange(options.serviceNodePortRange || serviceDefaults.nodePortRange),
  };
  validateNodePort(options.kubernetesServiceNodePort ?? 0, config.nodePortRange);
  validateAdvertiseAddress(options, elementAt(config.clusterIPRanges, 0));
  const { apiserverCount = 1 } = options;
  if (apiserverCount <= 0) {
    throw new OptionError(`--apiserver-count should be a positive number, but value '${apiserverCount}' provided`);
  }
  return config;
}

/** Returns the address of the service `kubernetes`, the first one that can be allocated. (ServiceIPRange) */
export const apiServerServiceIP = ({ clusterIPRanges }: ServicesConfig): Address => addOffset(elementAt(clusterIPRanges, 0).address, 1n);

function parseClusterIPRanges(text: string): Prefix[] {
  const parts = text.split(',');
  if (parts.length > 2) throw new OptionError('--service-cluster-ip-range must not contain more than two entries');
  const prefixes = parts.map((part, index) => {
    const prefix = parsePrefixSloppy(part);
    if (prefix !== undefined) return prefix;
    throw new OptionError(`service-cluster-ip-range[${index}] is not ${index === 0 ? 'a valid cidr' : 'an ip net'}`);
  });
  const [first, second] = prefixes;
  if (first === undefined) throw new OptionError('service-cluster-ip-range is empty');
  const { address, length } = first;
  if (bitLength(address) - length < minAddressBits) {
    const why = `the service cluster IP range must be at least ${2 ** minAddressBits} IP addresses`;
    throw new OptionError(`error determining service IP ranges for primary service cidr: ${why}`);
  }
  if (second?.address.version === address.version) {
    throw new OptionError('--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family');
  }
  return prefixes;
}

/** Parses `30000-32767`, `30000+2767` or `30000`. (apimachinery pkg/util/net ParsePortRange) */
function parsePortRange(text: string): PortRange {
  const fail = (why: string): never => {
    throw new OptionError(`--service-node-port-range: ${why}`);
  };
  const match = /^(\d{1,9})(?:([-+])(\d{1,9}))?$/.exec(text.trim());
  if (match === null) return fail(`unable to parse port range: ${text}`);
  const low = Number(match[1]);
  const high = match[2] === undefined ? low : match[2] === '-' ? Number(match[3]) : low + Number(match[3]);
  if (low > 65535 || high > 65535) return fail(`the port range cannot be greater than 65535: ${text}`);
  if (high < low) return fail(`end port cannot be less than start port: ${text}`);
  return { base: low, size: high - low + 1 };
}

function validateNodePort(port: number, range: PortRange): void {
  if (port < 0 || port > 65535) {
    throw new OptionError(
      `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
    );
  }
  if (port > 0 && (port < range.base || port >= range.base + range.size)) {
    throw new OptionError(`kubernetes service node port range ${portRangeText(range)} doesn't contain ${port}`);
  }
}

/** (validatePublicIPServiceClusterIPRangeIPFamilies) */
function validateAdvertiseAddress({ advertiseAddress, endpointReconcilerType }: ServerOptions, range: Prefix): void {
  if (advertiseAddress === undefined) return;
  const address = isIP(advertiseAddress) === 0 ? undefined : parseAddressSloppy(advertiseAddress);
  if (address === undefined) {
    throw new OptionError(`--advertise-address: ${JSON.stringify(advertiseAddress)} is not an IP address`);
  }
  if (endpointReconcilerType === 'none' || address.version === range.address.version) return;
  throw new OptionError(`service IP family "${prefixText(range)}" must match public address family "${advertiseAddress}"`);
}
