import { ensureRBACPolicy } from '../../authorization/rbac/bootstrap-policy/rbac-bootstrap.ts';
import { LeaseController } from '../../controlplane/apiserver-identity/lease-controller.ts';
import { leaseGCController } from '../../controlplane/apiserver-identity/lease-gc-controller.ts';
import { ClusterAuthenticationTrustController } from '../../controlplane/cluster-authentication-trust/cluster-authentication-trust-controller.ts';
import type { ControlPlaneContext } from '../../controlplane/context.ts';
import { defaultServiceCIDRController } from '../../controlplane/default-service-cidr-controller.ts';
import { KubernetesServiceController } from '../../controlplane/kubernetes-service/kubernetes-service-controller.ts';
import {
  LegacyTokenTrackingController,
  trackingConfigMap,
} from '../../controlplane/legacy-token-tracking/legacy-token-tracking-controller.ts';
import { RepairIPAddressController } from '../../controlplane/repair-ip-address-controller.ts';
import { repairNodePortsController } from '../../controlplane/repair-node-ports-controller.ts';
import { systemNamespacesController } from '../../controlplane/system-namespaces-controller.ts';
import { addSystemPriorityClasses } from '../../controlplane/system-priority-classes.ts';
import { addressText, prefixText } from '../../machinery/scalars/netip.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { DormantController } from '../../reconcile/dormancy/dormant-controller.ts';
import type { WakeRule, WriteAlarm } from '../../reconcile/dormancy/write-alarm.ts';
import type { ObjectEvent } from '../../storage/object-store/contract.ts';
import type { ServerAuthentication } from '../authentication/authentication.ts';
import type { CompletedConfig } from '../config.ts';
import type { Milestones } from '../health/milestones.ts';
import { apiServerServiceIP } from '../services-config.ts';

/** Milliseconds until leases that were just renewed are due again. */
const renewalMs = 10_000;

/**
 * The controllers of kube-apiserver itself, which also create the objects of every cluster. A server that replays a
 * recording has none: the recording contains their writes. (pkg/controlplane)
 */
export class ControlPlaneControllers {
  readonly #config: CompletedConfig;
  readonly #context: ControlPlaneContext;
  readonly #milestones: Milestones;
  readonly #closers: (() => Promise<void> | void)[] = [];
  readonly #withdrawals: (() => Promise<void> | void)[] = [];

  constructor(config: CompletedConfig, context: ControlPlaneContext, milestones: Milestones) {
    this.#config = config;
    this.#context = context;
    this.#milestones = milestones;
  }

  /** Removes the signs of a running server: its endpoints and its lease. */
  async withdraw(): Promise<void> {
    await Promise.all(this.#withdrawals.map((withdraw) => withdraw()));
  }

  async close(): Promise<void> {
    for (const close of [...this.#closers].reverse()) await close();
  }

  /** Starts the controllers that need no port. The writes of one step run concurrently. */
  async prepare(): Promise<void> {
    if (this.#config.options.replay !== undefined) return;
    const { services, minor, features, startOrder } = this.#config;
    await this.#start(systemNamespacesController(this.#context));
    await Promise.all([
      this.#start(defaultServiceCIDRController(this.#context, services.clusterIPRanges.map(prefixText))),
      startOrder(() => addSystemPriorityClasses(this.#context.stores)),
      startOrder(() => ensureRBACPolicy(this.#context.stores, minor, features)),
    ]);
  }

  /**
   * Starts the other controllers.
   *
   * @param port of the open listener
   */
  async run(port: number, authentication: ServerAuthentication): Promise<void> {
    if (this.#config.options.replay !== undefined) {
      this.#milestones.reached('control plane started');
      return;
    }
    const { features, services } = this.#config;
    await Promise.all([
      this.#startUntilShutdown(this.#kubernetesService(port)),
      this.#start(this.#authenticationTrust(authentication)),
      this.#start(new LegacyTokenTrackingController(this.#context)),
      this.#start(new RepairIPAddressController(this.#context)),
      this.#start(repairNodePortsController(this.#context, services.nodePortRange)),
      ...(features.APIServerIdentity
        ? [this.#startUntilShutdown(new LeaseController(this.#context)), this.#start(leaseGCController(this.#context))]
        : []),
    ]);
    this.#milestones.reached('control plane started');
  }

  /**
   * Puts all controllers to sleep, because their objects exist already. The leases and endpoints of this server are
   * written after some seconds.
   *
   * @param port of the open listener; 0 if there is none
   */
  async sleep(port: number, authentication: ServerAuthentication, alarm: WriteAlarm): Promise<void> {
    const { features, services } = this.#config;
    const context = this.#context;
    const asleep = (rule: WakeRule, make: () => Controller): DormantController =>
      new DormantController(alarm, rule, make, (err) => context.logger.error({ err }, 'a controller could not start'));
    const ranges = services.clusterIPRanges.map(prefixText);
    const isTrust = ({ object: { name } }: ObjectEvent): boolean => name === 'extension-apiserver-authentication';
    const isTracking = ({ object: { name } }: ObjectEvent): boolean => name === trackingConfigMap;
    const addresses = ['services', 'ipaddresses.networking.k8s.io'];
    const followers = [
      asleep({ resources: ['namespaces'] }, () => systemNamespacesController(context)),
      asleep({ resources: ['servicecidrs.networking.k8s.io'] }, () => defaultServiceCIDRController(context, ranges)),
      asleep({ resources: ['configmaps'], when: isTrust }, () => this.#authenticationTrust(authentication)),
      asleep({ resources: ['configmaps'], when: isTracking }, () => new LegacyTokenTrackingController(context)),
      asleep({ resources: addresses }, () => new RepairIPAddressController(context)),
      asleep({ resources: ['services'] }, () => repairNodePortsController(context, services.nodePortRange)),
    ];
    const leases = { resources: ['leases.coordination.k8s.io'] };
    const renewers = [
      ...(port === 0 ? [] : [asleep({ resources: ['endpoints'] }, () => this.#kubernetesService(port))]),
      ...(features.APIServerIdentity
        ? [asleep(leases, () => new LeaseController(context)), asleep(leases, () => leaseGCController(context))]
        : []),
    ];
    await Promise.all([...followers.map((one) => this.#start(one)), ...renewers.map((one) => this.#startUntilShutdown(one))]);
    this.#withdrawals.push(
      context.stores.clock.after(renewalMs, () => {
        for (const one of renewers) one.wake();
      }),
    );
    this.#milestones.reached('control plane started');
  }

  #authenticationTrust(authentication: ServerAuthentication): Controller {
    const trust = new ClusterAuthenticationTrustController(this.#context, () => authentication.clusterInfo());
    authentication.onAuthoritiesChange(() => trust.enqueue());
    return trust;
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
    this.#closers.push(() => controller.close());
    await this.#config.startOrder(() => controller.start());
  }

  /** Starts a controller that closes before the last requests are served, to remove its objects. */
  async #startUntilShutdown(controller: Controller): Promise<void> {
    this.#withdrawals.push(() => controller.close());
    await this.#config.startOrder(() => controller.start());
  }
}
