import type { ControlPlaneContext } from '../../controlplane/context.ts';
import { KubernetesServiceController } from '../../controlplane/kubernetes-service/kubernetes-service-controller.ts';
import { addressText } from '../../machinery/scalars/netip.ts';
import type { CompletedConfig } from '../config.ts';
import { apiServerServiceIP } from '../services-config.ts';

/** Returns the controller of the service default/kubernetes. @param port of the open listener */
export function kubernetesServiceController(
  { options, place, services }: CompletedConfig,
  context: ControlPlaneContext,
  port: number,
): KubernetesServiceController {
  const serviceIP = apiServerServiceIP(services);
  return new KubernetesServiceController(context, {
    publicIP: place.address(serviceIP.version),
    publicServicePort: place.port(port),
    serviceIP: addressText(serviceIP),
    serviceNodePort: options.kubernetesServiceNodePort ?? 0,
    reconcilerType: options.endpointReconcilerType ?? 'lease',
    masterCount: options.apiserverCount ?? 1,
  });
}
