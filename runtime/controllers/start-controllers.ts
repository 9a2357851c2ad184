import { csrApprovingController } from './certificates/csr-approving-controller.ts';
import { csrCleanerController } from './certificates/csr-cleaner-controller.ts';
import { csrSigningController } from './certificates/csr-signing-controller.ts';
import { ClusterRoleAggregationController } from './cluster-role-aggregation/cluster-role-aggregation-controller.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { GarbageCollector } from './garbage-collector/garbage-collector.ts';
import { NamespaceController } from './namespace/namespace-controller.ts';
import { rootCACertPublisher } from './namespace-objects/root-ca-cert-publisher.ts';
import { serviceAccountsController } from './namespace-objects/service-accounts-controller.ts';
import { ResourceQuotaController } from './resource-quota/resource-quota-controller.ts';
import type { ControllerName } from './selection.ts';
import { TokensController } from './service-account-tokens/tokens-controller.ts';
import { ServiceCIDRsController } from './service-cidrs/service-cidrs-controller.ts';
import {
  pvcProtectionController,
  pvProtectionController,
  vacProtectionController,
} from './storage-protection/protections.ts';
import { ValidatingAdmissionPolicyStatusController } from './validating-admission-policy-status/status-controller.ts';

const constructors: Readonly<Record<ControllerName, (context: ControllerContext) => Controller>> = {
  'certificatesigningrequest-approving-controller': csrApprovingController,
  'certificatesigningrequest-cleaner-controller': csrCleanerController,
  'certificatesigningrequest-signing-controller': csrSigningController,
  'clusterrole-aggregation-controller': (context) => new ClusterRoleAggregationController(context),
  'garbage-collector-controller': (context) => new GarbageCollector(context),
  'namespace-controller': (context) => new NamespaceController(context),
  'persistentvolume-protection-controller': pvProtectionController,
  'persistentvolumeclaim-protection-controller': pvcProtectionController,
  'resourcequota-controller': (context) => new ResourceQuotaController(context),
  'root-ca-certificate-publisher-controller': rootCACertPublisher,
  'service-cidr-controller': (context) => new ServiceCIDRsController(context),
  'serviceaccount-controller': serviceAccountsController,
  'serviceaccount-token-controller': (context) => new TokensController(context),
  'validatingadmissionpolicy-status-controller': (context) => new ValidatingAdmissionPolicyStatusController(context),
  'volumeattributesclass-protection-controller': vacProtectionController,
};

export interface RunningControllers {
  /** Resolves when every controller has synced or failed to start. */
  readonly synced: Promise<void>;
  /** The same of one controller. Resolves at once if it is not running. */
  syncedOf(name: ControllerName): Promise<void>;
  close(): Promise<void>;
}

/** Starts controllers in the background. */
export function startControllers(context: ControllerContext, names: ReadonlySet<ControllerName>): RunningControllers {
  const running = [...names].map((name) => {
    const controller = constructors[name](context);
    let closed = false;
    const synced = controller.start().catch((err: unknown) => {
      if (!closed) context.logger.error({ err, controller: name }, 'a controller could not start');
    });
    const close = async (): Promise<void> => {
      closed = true;
      await controller.close();
      await synced;
    };
    return { name, synced, close };
  });
  return {
    synced: Promise.all(running.map(({ synced }) => synced)).then(() => undefined),
    syncedOf: async (name) => running.find((one) => one.name === name)?.synced,
    async close() {
      await Promise.all(running.map(({ close }) => close()));
    },
  };
}
