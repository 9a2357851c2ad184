import { LeaseController } from '../../controlplane/apiserver-identity/lease-controller.ts';
import { leaseGCController } from '../../controlplane/apiserver-identity/lease-gc-controller.ts';
import { ClusterAuthenticationTrustController } from '../../controlplane/cluster-authentication-trust/cluster-authentication-trust-controller.ts';
import type { ControlPlaneContext } from '../../controlplane/context.ts';
import { defaultServiceCIDRController } from '../../controlplane/default-service-cidr-controller.ts';
import {
  LegacyTokenTrackingController,
  trackingConfigMap,
} from '../../controlplane/legacy-token-tracking/legacy-token-tracking-controller.ts';
import { RepairIPAddressController } from '../../controlplane/repair-ip-address-controller.ts';
import { repairNodePortsController } from '../../controlplane/repair-node-ports-controller.ts';
import { systemNamespacesController } from '../../controlplane/system-namespaces-controller.ts';
import { prefixText } from '../../machinery/scalars/netip.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { WakeRule } from '../../reconcile/dormancy/write-alarm.ts';
import type { ServerAuthentication } from '../authentication/authentication.ts';
import type { CompletedConfig } from '../config.ts';
import { kubernetesServiceController } from './kubernetes-service.ts';

/** A controller of kube-apiserver itself. */
export interface ControlPlaneController {
  /** The writes that wake it in a fork, whose objects exist already. */
  readonly wakes: WakeRule;
  /** Whether its objects expire, so that it wakes after some seconds, too. */
  readonly renews?: boolean;
  /** Whether it removes its objects when the server shuts down, before the last requests are served. */
  readonly withdraws?: boolean;
  make(): Controller;
}

/** The controllers of the objects that the server needs before it listens. */
export interface BootstrapControllers {
  readonly systemNamespaces: ControlPlaneController;
  readonly serviceCIDR: ControlPlaneController;
}

export function bootstrapControllers({ services }: CompletedConfig, context: ControlPlaneContext): BootstrapControllers {
  return {
    systemNamespaces: { wakes: { resources: ['namespaces'] }, make: () => systemNamespacesController(context) },
    serviceCIDR: {
      wakes: { resources: ['servicecidrs.networking.k8s.io'] },
      make: () => defaultServiceCIDRController(context, services.clusterIPRanges.map(prefixText)),
    },
  };
}

/**
 * Returns the controllers of a server that listens.
 *
 * @param port of the open listener; 0 if there is none
 */
export function listeningControllers(
  config: CompletedConfig,
  context: ControlPlaneContext,
  { port, authentication }: { readonly port: number; readonly authentication: ServerAuthentication },
): readonly ControlPlaneController[] {
  const { features, services } = config;
  const leases: WakeRule = { resources: ['leases.coordination.k8s.io'] };
  const kubernetesService: ControlPlaneController = {
    wakes: { resources: ['endpoints'] },
    renews: true,
    withdraws: true,
    make: () => kubernetesServiceController(config, context, port),
  };
  const identity: readonly ControlPlaneController[] = [
    { wakes: leases, renews: true, withdraws: true, make: () => new LeaseController(context) },
    { wakes: leases, renews: true, make: () => leaseGCController(context) },
  ];
  return [
    ...(port === 0 ? [] : [kubernetesService]),
    {
      wakes: { resources: ['configmaps'], when: ({ object: { name } }) => name === 'extension-apiserver-authentication' },
      make: () => authenticationTrust(context, authentication),
    },
    {
      wakes: { resources: ['configmaps'], when: ({ object: { name } }) => name === trackingConfigMap },
      make: () => new LegacyTokenTrackingController(context),
    },
    { wakes: { resources: ['services', 'ipaddresses.networking.k8s.io'] }, make: () => new RepairIPAddressController(context) },
    { wakes: { resources: ['services'] }, make: () => repairNodePortsController(context, services.nodePortRange) },
    ...(features.APIServerIdentity ? identity : []),
  ];
}

function authenticationTrust(context: ControlPlaneContext, authentication: ServerAuthentication): Controller {
  const trust = new ClusterAuthenticationTrustController(context, () => authentication.clusterInfo());
  authentication.onAuthoritiesChange(() => trust.enqueue());
  return trust;
}
