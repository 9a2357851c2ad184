import type { Service, ServicePort, ServiceSpec } from '../../../../generated/v1.35/core/v1/types.ts';
import { internalError, invalid, type StatusError, serviceUnavailable } from '../../../machinery/errors/status.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../../resources/rest.ts';
import { type IPFamily, isAllocationFailure, type ServiceAllocators, serviceAllocators } from './allocator.ts';
import { needsHealthCheck, validateServiceClusterIPsRelatedFields } from './validation.ts';

const headless = 'None';

/** (pkg/registry/core/service/storage: storage.go, alloc.go) */
export const serviceStrategy: RESTStrategy = {
  returnDeletedObject: true,
  /** No controller of this server maintains endpoints. */
  resourceLocation(_service, _subresource, name): never {
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  },
  async prepareForCreate(service: Service, context) {
    service.spec ??= {};
    normalizeClusterIPs(service.spec, undefined);
    new ServiceAllocation(service, service.spec, await serviceAllocators(context.stores), context).run();
  },
  async prepareForUpdate(service: Service, { spec: old = {} }: Service, context) {
    if (context.part === 'status') return;
    service.spec ??= {};
    patchAllocatedValues(service.spec, old);
    normalizeClusterIPs(service.spec, old);
    dropTypeDependentFields(service.spec, old);
    new ServiceAllocation(service, service.spec, await serviceAllocators(context.stores), context).run(old);
  },
};

const needsClusterIP = ({ type }: ServiceSpec): boolean => type !== 'ExternalName';

const needsNodePort = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);

const mayHaveNodePorts = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer';

/** `clusterIP` is the first of `clusterIPs`, whichever the client sets. (NormalizeClusterIPs) */
function normalizeClusterIPs(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '', clusterIPs = [] } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const isChanged = clusterIP !== (old.clusterIP ?? '');
  if (!isChanged || !equalJson(clusterIPs, old.clusterIPs ?? [])) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Keeps allocated values that the client omits. (patchAllocatedValues) */
function patchAllocatedValues(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(spec) && needsClusterIP(old)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && spec.clusterIP === old.clusterIP && old.clusterIPs) {
      spec.clusterIPs = old.clusterIPs;
    }
  }
  if (needsNodePort(spec) && needsNodePort(old)) patchNodePorts(spec, old);
  if (needsHealthCheck(spec) && needsHealthCheck(old)) spec.healthCheckNodePort ||= old.healthCheckNodePort;
}

function patchNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const nodePortsOf = ({ ports = [] }: ServiceSpec): number[] => ports.flatMap(({ nodePort }) => nodePort || []);
  const oldNodePorts = new Set(nodePortsOf(old));
  const inUse = new Set(nodePortsOf(spec).filter((nodePort) => oldNodePorts.has(nodePort)));
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const nodePort = byName.get(port.name ?? '') ?? 0;
    if (port.nodePort || nodePort === 0 || inUse.has(nodePort)) continue;
    port.nodePort = nodePort;
    inUse.add(nodePort);
  }
}

/** Drops unchanged fields that the old type has and the new type does not. (dropTypeDependentFields) */
function dropTypeDependentFields(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIP(old) && !needsClusterIP(spec) && equalJson(spec.clusterIPs, old.clusterIPs)) {
    for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) delete spec[name];
  }
  const nodePortsOf = ({ ports = [] }: ServiceSpec): number[] => ports.map(({ nodePort = 0 }) => nodePort);
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(spec) && equalJson(nodePortsOf(spec), nodePortsOf(old))) {
    for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && spec.healthCheckNodePort === old.healthCheckNodePort) {
    delete spec.healthCheckNodePort;
  }
  const drop = (name: keyof ServiceSpec, isUsedBy: (spec: ServiceSpec) => boolean): void => {
    if (isUsedBy(old) && !isUsedBy(spec) && equalJson(spec[name], old[name])) delete spec[name];
  };
  const isLoadBalancer = ({ type }: ServiceSpec): boolean => type === 'LoadBalancer';
  drop('allocateLoadBalancerNodePorts', isLoadBalancer);
  drop('loadBalancerClass', isLoadBalancer);
  drop('externalTrafficPolicy', (each) => mayHaveNodePorts(each) || Boolean(each.externalIPs?.length));
  drop('internalTrafficPolicy', needsClusterIP);
}

/** Allocates the cluster IPs and node ports of one service. (alloc.go) */
class ServiceAllocation {
  readonly #service: Service;
  readonly #spec: ServiceSpec;
  readonly #owner: string;
  readonly #allocators: ServiceAllocators;
  readonly #context: WriteContext;

  constructor(service: Service, spec: ServiceSpec, allocators: ServiceAllocators, context: WriteContext) {
    this.#service = service;
    this.#spec = spec;
    this.#owner = `${context.namespace}/${service.metadata.name ?? ''}`;
    this.#allocators = allocators;
    this.#context = context;
  }

  /** @throws StatusError 422 for requested values that cannot be allocated, 500 if a range is full */
  run(old?: ServiceSpec): void {
    const spec = this.#spec;
    if (needsClusterIP(spec)) {
      this.#initIPFamilies(old);
      if (spec.clusterIPs?.[0] !== headless) this.#allocateClusterIPs();
    }
    if (needsNodePort(spec)) this.#allocateNodePorts();
    if (needsHealthCheck(spec)) {
      const result = this.#allocators.allocateNodePort(this.#owner, spec.healthCheckNodePort ?? 0, this.#context);
      if (isAllocationFailure(result)) {
        throw internalError(`failed to allocate requested HealthCheck NodePort: ${result.failure}`);
      }
      spec.healthCheckNodePort = result;
    }
  }

  /** The cluster has both families, and IPv4 is the default. (initIPFamilyFields) */
  #initIPFamilies(old: ServiceSpec | undefined): void {
    const spec = this.#spec;
    const isWithoutSelector = spec.clusterIP === headless && Object.keys(spec.selector ?? {}).length === 0;
    spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isWithoutSelector ? 'RequireDualStack' : 'SingleStack');
    this.#validate((field) => validateServiceClusterIPsRelatedFields(spec, field));
    const isSingleStack = spec.ipFamilyPolicy === 'SingleStack';
    if (isSingleStack && old !== undefined) dropSecondFamily(spec, old);
    this.#validate((field) => {
      const policy = field.child('ipFamilyPolicy');
      if (isSingleStack) validateSingleStack(spec, policy);
      else if (old !== undefined) validateFamiliesNotReleased(spec, old, policy);
    });
    const families = [...(spec.ipFamilies ?? [])];
    for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
      if (address === headless) break;
      if (index >= families.length) families.push(familyOf(address));
    }
    if (families.length === 0) families.push('IPv4');
    if (!isSingleStack && families.length === 1) families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4');
    spec.ipFamilies = families;
    if (spec.clusterIP === headless) spec.clusterIPs ??= [headless];
  }

  #allocateClusterIPs(): void {
    const spec = this.#spec;
    const requested = spec.clusterIPs ?? [];
    spec.clusterIPs = (spec.ipFamilies ?? []).map((family, index) => {
      const address = requested[index] ?? '';
      const result = this.#allocators.allocateClusterIP(family as IPFamily, this.#owner, address, this.#context);
      if (!isAllocationFailure(result)) return result;
      if (address === '') throw internalError(`failed to allocate a serviceIP: ${result.failure}`);
      const errors: FieldError[] = [];
      const detail = `failed to allocate IP ${address}: ${result.failure}`;
      Field.at(FieldPath.of('spec', 'clusterIPs'), errors).invalid(requested, detail);
      throw this.#invalid(errors);
    });
    spec.clusterIP = spec.clusterIPs[0];
  }

  /** Ports with one number and different protocols share their node port. (allocateNodePorts) */
  #allocateNodePorts(): void {
    const { ports = [] } = this.#spec;
    const protocolsByNodePort = new Map<number, Set<string | undefined>>();
    const canShare = (nodePort: number, protocol: string | undefined): boolean =>
      protocolsByNodePort.get(nodePort)?.has(protocol) === false;
    const setNodePort = (port: ServicePort, nodePort: number): void => {
      port.nodePort = nodePort;
      protocolsByNodePort.set(nodePort, (protocolsByNodePort.get(nodePort) ?? new Set()).add(port.protocol));
    };
    this.#validate((field) => {
      for (const [index, port] of ports.entries()) {
        if (!port.nodePort) continue;
        const result = canShare(port.nodePort, port.protocol)
          ? port.nodePort
          : this.#allocators.allocateNodePort(this.#owner, port.nodePort, this.#context);
        if (isAllocationFailure(result)) {
          field.child('ports').index(index).child('nodePort').invalid(port.nodePort, result.failure);
        } else setNodePort(port, result);
      }
    });
    // by port number, the first port with a node port
    const firstWithNodePort = new Map<number, number>();
    for (const [index, { port, nodePort }] of ports.entries()) {
      if (nodePort && !firstWithNodePort.has(port)) firstWithNodePort.set(port, index);
    }
    for (const [index, port] of ports.entries()) {
      if (port.nodePort) continue;
      const siblingIndex = firstWithNodePort.get(port.port);
      if (siblingIndex === undefined || siblingIndex > index) firstWithNodePort.set(port.port, index);
      const sharedNodePort = siblingIndex === undefined ? undefined : ports[siblingIndex].nodePort;
      if (sharedNodePort !== undefined && canShare(sharedNodePort, port.protocol)) {
        setNodePort(port, sharedNodePort);
        continue;
      }
      const result = this.#allocators.allocateNodePort(this.#owner, 0, this.#context);
      if (isAllocationFailure(result)) throw internalError(`failed to allocate a nodePort: ${result.failure}`);
      setNodePort(port, result);
    }
  }

  /** Runs rules for the spec, and throws if there are errors. */
  #validate(validate: (field: Field) => void): void {
    const errors: FieldError[] = [];
    validate(Field.at(FieldPath.of('spec'), errors));
    if (errors.length > 0) throw this.#invalid(errors);
  }

  #invalid(errors: readonly FieldError[]): StatusError {
    return invalid({ group: '', kind: 'Service' }, this.#service.metadata.name ?? '', errors);
  }
}

const familyOf = (address: string): IPFamily => (address.includes(':') ? 'IPv6' : 'IPv4');

/** A change to SingleStack releases the second family, if the client leaves the lists as they were. */
function dropSecondFamily(spec: ServiceSpec, old: ServiceSpec): void {
  for (const name of ['clusterIPs', 'ipFamilies'] as const) {
    const values = spec[name];
    if (values !== undefined && values.length > 1 && equalJson(values, old[name])) spec[name] = values.slice(0, 1);
  }
}

function validateFamiliesNotReleased(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  if (old.clusterIPs?.length === 2 && spec.clusterIPs?.length === 1) {
    field.invalid(spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP");
  }
  if (old.ipFamilies?.length === 2 && spec.ipFamilies?.length === 1) {
    field.invalid(spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family");
  }
}

function validateSingleStack(spec: ServiceSpec, field: Field): void {
  const detail = (values: string): string =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${values} are specified`;
  if (spec.clusterIPs?.length === 2) field.invalid(spec.ipFamilyPolicy, detail('cluster IPs'));
  if (spec.ipFamilies?.length === 2) field.invalid(spec.ipFamilyPolicy, detail('IP families'));
}
