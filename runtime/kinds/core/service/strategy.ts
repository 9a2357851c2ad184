import { internalError, invalid as invalidStatus, serviceUnavailable } from '../../../machinery/errors/status.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../../resources/rest.ts';
import { type Family, isRefusal, type ServiceAddressPool, serviceAddresses } from './allocator.ts';
import { validateServiceClusterIPsRelatedFields } from './validation.ts';

const specPath = FieldPath.of('spec');
const headless = 'None';

/** Services get addresses and ports from the cluster. (pkg/registry/core/service/storage/{storage,alloc}.go) */
export const serviceStrategy: RESTStrategy = {
  returnDeletedObject: true,
  /** No controller of this server maintains endpoints. */
  resourceLocation(_service, _subresource, name): never {
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  },
  async prepareForCreate(service, context) {
    service.spec ??= {};
    mirrorClusterIP(service.spec, undefined);
    await allocate(service, undefined, context);
  },
  async prepareForUpdate(service, old, context) {
    if (context.part === 'status') return;
    service.spec ??= {};
    keepAllocated(service.spec, old.spec ?? {});
    mirrorClusterIP(service.spec, old.spec);
    dropWhatTypeForbids(service.spec, old.spec ?? {});
    await allocate(service, old, context);
  },
};

const wantsAddress = ({ type }: Part): boolean => type !== 'ExternalName';

function wantsPorts({ type, allocateLoadBalancerNodePorts }: Part): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

const mayHavePorts = ({ type }: Part): boolean => type === 'NodePort' || type === 'LoadBalancer';

const wantsHealthPort = ({ type, externalTrafficPolicy }: Part): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** clusterIP is the first of clusterIPs, whichever the client speaks. (pkg/api/service NormalizeClusterIPs) */
function mirrorClusterIP(spec: Part, old: Part): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const sameIP = clusterIP === (old.clusterIP ?? '');
  const sameIPs = equalJson(clusterIPs, old.clusterIPs ?? []);
  if (sameIP || !sameIPs) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** What the server gave stays when the client leaves it out. (patchAllocatedValues) */
function keepAllocated(spec: Part, old: Part): void {
  if (wantsAddress(spec) && wantsAddress(old)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && spec.clusterIP === old.clusterIP && old.clusterIPs)
      spec.clusterIPs = old.clusterIPs;
  }
  if (wantsPorts(spec) && wantsPorts(old)) {
    const inUse = (one: Part): number[] => (one.ports ?? []).map(({ nodePort = 0 }) => nodePort).filter(Boolean);
    const before = new Set(inUse(old));
    const taken = new Set(inUse(spec).filter((port) => before.has(port)));
    const byName = new Map<string, number>(
      (old.ports ?? []).map(({ name = '', nodePort = 0 }: Part) => [name, nodePort]),
    );
    for (const port of spec.ports ?? []) {
      const known = byName.get(port.name ?? '') ?? 0;
      if (port.nodePort || known === 0 || taken.has(known)) continue;
      port.nodePort = known;
      taken.add(known);
    }
  }
  if (wantsHealthPort(spec) && wantsHealthPort(old)) spec.healthCheckNodePort ||= old.healthCheckNodePort;
}

/** A change of type takes away what only the old type has, where the client did not touch it. (dropTypeDependentFields) */
function dropWhatTypeForbids(spec: Part, old: Part): void {
  if (wantsAddress(old) && !wantsAddress(spec) && equalJson(spec.clusterIPs, old.clusterIPs)) {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[field];
  }
  const ports = (one: Part): unknown => (one.ports ?? []).map(({ nodePort = 0 }: Part) => nodePort);
  if (mayHavePorts(old) && !mayHavePorts(spec) && equalJson(ports(spec), ports(old))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (wantsHealthPort(old) && !wantsHealthPort(spec) && spec.healthCheckNodePort === old.healthCheckNodePort) {
    delete spec.healthCheckNodePort;
  }
  const drop = (field: string, has: (one: Part) => boolean): void => {
    if (has(old) && !has(spec) && equalJson(spec[field], old[field])) delete spec[field];
  };
  const isBalanced = ({ type }: Part): boolean => type === 'LoadBalancer';
  drop('allocateLoadBalancerNodePorts', isBalanced);
  drop('loadBalancerClass', isBalanced);
  drop('externalTrafficPolicy', (one) => mayHavePorts(one) || (one.externalIPs ?? []).length > 0);
  drop('internalTrafficPolicy', wantsAddress);
}

async function allocate(service: KubeObject, old: KubeObject | undefined, context: WriteContext): Promise<void> {
  const { spec } = service;
  const pool = await serviceAddresses(context.stores);
  const { namespace } = context;
  const owner = `${namespace}/${service.metadata.name ?? ''}`;
  if (wantsAddress(spec)) {
    setFamilies(service, old?.spec);
    if (spec.clusterIPs?.[0] !== headless) allocateAddresses(service, owner, pool, context);
  }
  if (wantsPorts(spec)) allocatePorts(service, owner, pool, context);
  if (wantsHealthPort(spec)) {
    const given = pool.port(owner, spec.healthCheckNodePort ?? 0, context);
    if (isRefusal(given)) throw internalError(`failed to allocate requested HealthCheck NodePort: ${given.refused}`);
    spec.healthCheckNodePort = given;
  }
}

/** Both families are the cluster's, IPv4 the first. (initIPFamilyFields) */
function setFamilies(service: KubeObject, old: Part): void {
  const { spec } = service;
  const selectorless = spec.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (selectorless ? 'RequireDualStack' : 'SingleStack');
  const errors: FieldError[] = [];
  validateServiceClusterIPsRelatedFields(spec, Field.at(specPath, errors));
  refuse(service, errors);
  const single = spec.ipFamilyPolicy === 'SingleStack';
  if (single && old !== undefined) keepFirst(spec, old);
  refuse(service, [...reductionErrors(spec, old, single), ...singleStackErrors(spec, single)]);
  const families: Family[] = [...(spec.ipFamilies ?? [])];
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === headless) break;
    if (index >= families.length) families.push(familyOf(address));
  }
  if (families.length === 0) families.push('IPv4');
  if (!single && families.length === 1) families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
  spec.ipFamilies = families;
  if (spec.clusterIP === headless) spec.clusterIPs ??= [headless];
}

const familyOf = (address: string): Family => (address.includes(':') ? 'IPv6' : 'IPv4');

/** Asking for one family takes the second away. */
function keepFirst(spec: Part, old: Part): void {
  for (const field of ['clusterIPs', 'ipFamilies']) {
    if (spec[field]?.length > 1 && equalJson(spec[field], old[field])) spec[field] = spec[field].slice(0, 1);
  }
}

function reductionErrors(spec: Part, old: Part, single: boolean): FieldError[] {
  if (single || old === undefined) return [];
  const reduced = (field: string): boolean => old[field]?.length === 2 && spec[field]?.length === 1;
  const path = specPath.child('ipFamilyPolicy');
  return [
    ...(reduced('clusterIPs')
      ? [invalid(path, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(reduced('ipFamilies')
      ? [invalid(path, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function singleStackErrors(spec: Part, single: boolean): FieldError[] {
  if (!single) return [];
  const path = specPath.child('ipFamilyPolicy');
  const refusal = (what: string): FieldError =>
    invalid(
      path,
      spec.ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(spec.clusterIPs?.length === 2 ? [refusal('cluster IPs')] : []),
    ...(spec.ipFamilies?.length === 2 ? [refusal('IP families')] : []),
  ];
}

function allocateAddresses(service: KubeObject, owner: string, pool: ServiceAddressPool, context: WriteContext): void {
  const { spec } = service;
  const asked: string[] = spec.clusterIPs ?? [];
  spec.clusterIPs = (spec.ipFamilies as Family[]).map((family, index) => {
    const given = pool.address(family, owner, asked[index] ?? '', context);
    if (!isRefusal(given)) return given;
    if (!asked[index]) throw internalError(`failed to allocate a serviceIP: ${given.refused}`);
    const why = `failed to allocate IP ${asked[index]}: ${given.refused}`;
    throw refusal(service, [invalid(specPath.child('clusterIPs'), asked, why)]);
  });
  spec.clusterIP = spec.clusterIPs[0];
}

/** Ports that share a number and differ in protocol share their node port. */
function allocatePorts(service: KubeObject, owner: string, pool: ServiceAddressPool, context: WriteContext): void {
  const { ports = [] } = service.spec;
  const errors: FieldError[] = [];
  const mine = new Map<number, Set<string>>();
  const ownAlready = (nodePort: number, protocol: string): boolean => {
    const protocols = mine.get(nodePort);
    return protocols !== undefined && !protocols.has(protocol);
  };
  const take = (port: Part, nodePort: number): void => {
    port.nodePort = nodePort;
    mine.set(nodePort, (mine.get(nodePort) ?? new Set()).add(port.protocol));
  };
  ports.forEach((port: Part, index: number) => {
    if (!port.nodePort) return;
    const given = ownAlready(port.nodePort, port.protocol) ? port.nodePort : pool.port(owner, port.nodePort, context);
    if (isRefusal(given)) {
      const path = specPath.child('ports').index(index).child('nodePort');
      errors.push(invalid(path, port.nodePort, given.refused));
    } else take(port, given);
  });
  refuse(service, errors);
  // of each number the first that has one
  const firstTaken = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (port.nodePort && !firstTaken.has(port.port)) firstTaken.set(port.port, index);
  }
  for (const [index, port] of ports.entries()) {
    if (port.nodePort) continue;
    const sibling = firstTaken.get(port.port);
    if (sibling === undefined || sibling > index) firstTaken.set(port.port, index);
    if (sibling !== undefined && ownAlready(ports[sibling].nodePort, port.protocol)) {
      take(port, ports[sibling].nodePort);
      continue;
    }
    const given = pool.port(owner, 0, context);
    if (isRefusal(given)) throw internalError(`failed to allocate a nodePort: ${given.refused}`);
    take(port, given);
  }
}

function refuse(service: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw refusal(service, errors);
}

const refusal = (service: KubeObject, errors: readonly FieldError[]) =>
  invalidStatus({ group: '', kind: 'Service' }, service.metadata.name ?? '', errors);
