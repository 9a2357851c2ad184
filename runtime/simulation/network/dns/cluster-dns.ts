import type { Service, ServicePort } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint, EndpointSlice } from '../../../../generated/v1.35/discovery.k8s.io/v1/types.ts';
import { clusterDomain } from '../../environment/hostname.ts';
import type { NetworkObjects } from '../network-objects.ts';
import type { DNSAnswer, DNSRecord, RecordType } from './record.ts';

/** The longest chain of aliases. */
const maxAliases = 8;
const zone = `${clusterDomain}.`;

const missing: DNSAnswer = { code: 'NXDOMAIN', records: [] };
const empty: DNSAnswer = { code: 'NOERROR', records: [] };

/** What a name in the zone stands for: records of any type. */
type Found = readonly DNSRecord[] | undefined;

/** The DNS server of a cluster. (CoreDNS, plugin kubernetes; github.com/kubernetes/dns, specification.md) */
export class ClusterDNS {
  readonly #objects: NetworkObjects;

  constructor(objects: NetworkObjects) {
    this.#objects = objects;
  }

  /** @param name with or without a dot at its end */
  query(name: string, type: RecordType): DNSAnswer {
    const full = `${name.toLowerCase().replace(/\.$/, '')}.`;
    const found = full.endsWith('.in-addr.arpa.') || full.endsWith('.ip6.arpa.') ? this.#reverse(full) : this.#lookUp(full);
    if (found === undefined) return missing;
    const records = type === 'ANY' ? found : this.#followed(found, type);
    return records.length > 0 ? { code: 'NOERROR', records } : empty;
  }

  /** Adds what aliases lead to. */
  #followed(found: readonly DNSRecord[], type: RecordType): readonly DNSRecord[] {
    const records: DNSRecord[] = [];
    let current = found;
    for (let step = 0; step < maxAliases; step++) {
      records.push(...current.filter((record) => record.type === type));
      const alias = type === 'CNAME' ? undefined : current.find((record) => record.type === 'CNAME');
      if (alias === undefined) break;
      records.push(alias);
      current = this.#lookUp(alias.data) ?? [];
    }
    return records;
  }

  #lookUp(name: string): Found {
    if (name !== zone && !name.endsWith(`.${zone}`)) return undefined;
    const labels = name.slice(0, -zone.length).split('.').filter(Boolean);
    if (labels.length === 0) return [{ name, type: 'SOA', data: soa }];
    const kind = labels.at(-1);
    const namespace = labels.at(-2);
    // names between the zone and what it has exist, and are empty
    if (kind !== 'svc' && kind !== 'pod') return labels.length === 1 && kind === 'dns-version' ? versionOf(name) : undefined;
    if (namespace === undefined) return [];
    if (!this.#objects.hasNamespace(namespace)) return undefined;
    const rest = labels.slice(0, -2);
    if (rest.length === 0) return [];
    return kind === 'pod' ? podRecords(name, rest) : this.#serviceRecords(name, namespace, rest);
  }

  #serviceRecords(name: string, namespace: string, labels: readonly string[]): Found {
    const service = this.#objects.service(namespace, labels.at(-1) ?? '');
    if (service === undefined) return undefined;
    const base = fullName(service);
    const rest = labels.slice(0, -1);
    const { type, externalName = '', clusterIP } = service.spec ?? {};
    if (type === 'ExternalName') {
      return rest.length > 0 ? undefined : [{ name, type: 'CNAME', data: `${externalName.replace(/\.$/, '')}.` }];
    }
    const isHeadless = clusterIP === 'None';
    const [port = '', protocol = ''] = rest;
    if (port.startsWith('_') && protocol.startsWith('_') && rest.length === 2) {
      const targets = isHeadless ? this.#headlessTargets(service, base) : clusterTargets(service, base);
      const wanted = targets.filter((one) => `_${one.port}` === port && `_${one.protocol}` === protocol);
      return wanted.length === 0 ? undefined : wanted.map((one) => ({ name, type: 'SRV', data: `0 100 ${one.number} ${one.host}` }));
    }
    if (!isHeadless) {
      if (rest.length > 0) return undefined;
      const addresses = (service.spec?.clusterIPs ?? [clusterIP ?? '']).filter(Boolean);
      return [...addresses.map((address) => addressRecord(name, address)), ...srvRecords(name, clusterTargets(service, base))];
    }
    const addresses = new Set<string>();
    const targets = this.#headlessTargets(service, base);
    if (rest.length > 1) return undefined;
    for (const { host, address } of targets) if (rest.length === 0 || host === name) addresses.add(address);
    // a headless service without ports still has addresses
    for (const [endpoint] of this.#endpoints(service)) {
      const host = `${hostOf(endpoint)}.${base}`;
      if (rest.length === 0 || host === name) for (const address of endpoint.addresses) addresses.add(address);
    }
    if (addresses.size === 0) return undefined;
    const own = rest.length === 0 ? targets : targets.filter(({ host }) => host === name);
    return [...[...addresses].map((address) => addressRecord(name, address)), ...srvRecords(name, own)];
  }

  *#endpoints({ metadata: { namespace = '', name = '' } }: Service): Iterable<[Endpoint, EndpointSlice]> {
    for (const slice of this.#objects.slicesOf(namespace, name)) {
      for (const endpoint of slice.endpoints ?? []) if (endpoint.conditions?.ready !== false) yield [endpoint, slice];
    }
  }

  #headlessTargets(service: Service, base: string): readonly Target[] {
    const targets: Target[] = [];
    for (const [endpoint, { ports }] of this.#endpoints(service)) {
      const host = `${hostOf(endpoint)}.${base}`;
      for (const { name = '', protocol = 'TCP', port: number = 0 } of ports ?? []) {
        const [address = ''] = endpoint.addresses;
        targets.push({ host, address, number, port: name, protocol: protocol.toLowerCase() });
      }
    }
    return targets;
  }

  #reverse(name: string): Found {
    const address = reversed(name);
    if (address === undefined) return undefined;
    for (const service of this.#objects.servicesAt(address)) {
      if (service.spec?.clusterIPs?.includes(address) || service.spec?.clusterIP === address) {
        return [{ name, type: 'PTR', data: fullName(service) }];
      }
    }
    const records: DNSRecord[] = [];
    for (const { metadata, endpoints } of this.#objects.slicesWith(address)) {
      const service = this.#objects.service(metadata.namespace ?? '', metadata.labels?.['kubernetes.io/service-name'] ?? '');
      const endpoint = endpoints?.find(({ addresses }) => addresses.includes(address));
      if (service !== undefined && endpoint !== undefined) {
        records.push({ name, type: 'PTR', data: `${hostOf(endpoint)}.${fullName(service)}` });
      }
    }
    return records.length > 0 ? records : undefined;
  }
}

const soa = `ns.dns.${zone} hostmaster.${zone} 1 7200 1800 86400 5`;
const versionOf = (name: string): DNSRecord[] => [{ name, type: 'TXT', data: '"1.1.0"' }];

interface Target {
  readonly host: string;
  readonly address: string;
  readonly number: number;
  readonly port: string;
  readonly protocol: string;
}

const fullName = ({ metadata }: Service): string => `${metadata.name}.${metadata.namespace}.svc.${zone}`;

/** Returns the label of an endpoint: its host name, or its address with dashes. (endpointHostname) */
const hostOf = ({ hostname, addresses: [address = ''] }: Endpoint): string => hostname || address.replace(/[.:]/g, '-');

const addressRecord = (name: string, address: string): DNSRecord => ({ name, type: address.includes(':') ? 'AAAA' : 'A', data: address });

function clusterTargets({ spec }: Service, host: string): readonly Target[] {
  return (spec?.ports ?? []).map(({ name = '', protocol = 'TCP', port }: ServicePort) => ({
    host,
    address: spec?.clusterIP ?? '',
    number: port,
    port: name,
    protocol: protocol.toLowerCase(),
  }));
}

const srvRecords = (name: string, targets: readonly Target[]): DNSRecord[] =>
  targets.map(({ number, host }) => ({ name, type: 'SRV', data: `0 100 ${number} ${host}` }));

/** Returns the records of `10-128-0-2.default.pod.cluster.local`, whoever has the address. (pods insecure) */
function podRecords(name: string, labels: readonly string[]): Found {
  const [label = ''] = labels;
  if (labels.length !== 1) return undefined;
  if (/^\d{1,3}(?:-\d{1,3}){3}$/.test(label)) return [addressRecord(name, label.replaceAll('-', '.'))];
  return /^[\da-f-]*--?[\da-f-]*$/.test(label) ? [addressRecord(name, label.replaceAll('-', ':'))] : undefined;
}

/** Returns the address that a name in in-addr.arpa or ip6.arpa stands for. */
function reversed(name: string): string | undefined {
  const labels = name.split('.');
  if (name.endsWith('.in-addr.arpa.')) {
    const parts = labels.slice(0, -3);
    return parts.length === 4 ? parts.reverse().join('.') : undefined;
  }
  const digits = labels.slice(0, -3).reverse().join('');
  return digits.length === 32 ? (digits.match(/.{4}/g) ?? []).map((part) => part.replace(/^0{1,3}/, '')).join(':') : undefined;
}
