import { LeaseController } from '../controllers/control-plane/apiserver-identity/lease-controller.ts';
import { leaseGCController } from '../controllers/control-plane/apiserver-identity/lease-gc-controller.ts';
import { ClusterAuthenticationTrustController } from '../controllers/control-plane/cluster-authentication-trust/cluster-authentication-trust-controller.ts';
import type { ControlPlaneContext } from '../controllers/control-plane/context.ts';
import { defaultServiceCIDRController } from '../controllers/control-plane/default-service-cidr-controller.ts';
import { KubernetesServiceController } from '../controllers/control-plane/kubernetes-service/kubernetes-service-controller.ts';
import { RepairIPAddressController } from '../controllers/control-plane/repair-ip-address-controller.ts';
import { repairNodePortsController } from '../controllers/control-plane/repair-node-ports-controller.ts';
import { systemNamespacesController } from '../controllers/control-plane/system-namespaces-controller.ts';
import { addSystemPriorityClasses } from '../controllers/control-plane/system-priority-classes.ts';
import type { Controller } from '../controllers/controller.ts';
import { addressText, prefixText } from '../machinery/scalars/netip.ts';
import type { ServerAuthentication } from './authentication.ts';
import type { CompletedConfig } from './config.ts';
import type { GracefulShutdown } from './graceful-shutdown.ts';
import { ensureRBACPolicy } from './rbac-bootstrap.ts';
import { apiServerServiceIP } from './services-config.ts';

/**
 * The controllers of kube-apiserver itself, and the objects that every cluster has. A server that replays a recording has none of
 * them: the recording says what they did. (pkg/controlplane)
 */
export class ControlPlaneControllers {
  readonly #config: CompletedConfig;
  readonly #context: ControlPlaneContext;
  readonly #shutdown: GracefulShutdown;
  #setStarted: () => void = () => undefined;
  /** Resolves when all have synced. */
  readonly started = new Promise<void>((resolve) => {
    this.#setStarted = resolve;
  });

  constructor(config: CompletedConfig, context: ControlPlaneContext, shutdown: GracefulShutdown) {
    this.#config = config;
    this.#context = context;
    this.#shutdown = shutdown;
  }

  /** Starts what needs no port. All writes of a step are under way at once. */
  async prepare(): Promise<void> {
    if (this.#config.options.replay !== undefined) return;
    const { services, minor, startOrder } = this.#config;
    await this.#start(systemNamespacesController(this.#context));
    await Promise.all([
      this.#start(defaultServiceCIDRController(this.#context, services.clusterIPRanges.map(prefixText))),
      startOrder(() => addSystemPriorityClasses(this.#context.stores)),
      startOrder(() => ensureRBACPolicy(this.#context.stores, minor)),
    ]);
  }

  /** Starts the others. @param port that of the open listener; 0 if there is none */
  async run(port: number, authentication: ServerAuthentication): Promise<void> {
    if (this.#config.options.replay !== undefined) {
      this.#setStarted();
      return;
    }
    const { features, services } = this.#config;
    const trust = new ClusterAuthenticationTrustController(this.#context, () => authentication.clusterInfo());
    authentication.onAuthoritiesChange(() => trust.enqueue());
    await Promise.all([
      ...(port === 0 ? [] : [this.#startUntilShutdown(this.#kubernetesService(port))]),
      this.#start(trust),
      this.#start(new RepairIPAddressController(this.#context)),
      this.#start(repairNodePortsController(this.#context, services.nodePortRange)),
      ...(features.APIServerIdentity
        ? [this.#startUntilShutdown(new LeaseController(this.#context)), this.#start(leaseGCController(this.#context))]
        : []),
    ]);
    this.#setStarted();
  }

  #kubernetesService(port: number): Controller {
    const { options, place, services } = this.#config;
    const serviceIP = apiServerServiceIP(services);
    return new KubernetesServiceController(this.#context, {
      publicIP: place.address(serviceIP.version),
      publicServicePort: place.port(port),
      serviceIP: addressText(serviceIP),
      serviceNodePort: options.kubernetesServiceNodePort ?? 0,
      reconcilerType: options.endpointReconcilerType ?? 'lease',
      masterCount: options.apiserverCount ?? 1,
    });
  }

  async #start(controller: Controller): Promise<void> {
    this.#shutdown.addShutdownHook(() => controller.close());
    await this.#config.startOrder(() => controller.start());
  }

  /** What others must not see any more is removed before the last requests are served. */
  async #startUntilShutdown(controller: Controller): Promise<void> {
    this.#shutdown.addPreShutdownHook(() => controller.close());
    await this.#config.startOrder(() => controller.start());
  }
}
