import { atOnce, type StartOrder } from '../machinery/event-loop/start-order.ts';
import type { Controller } from '../reconcile/controller.ts';
import type { ControllerName, ProcessName, SimulatedProcess } from '../reconcile/controller-selection.ts';
import type { Dormancy } from '../reconcile/dormancy/dormancy.ts';
import { DormantController } from '../reconcile/dormancy/dormant-controller.ts';
import { SharedInformers } from '../reconcile/informers/shared-informers.ts';
import { csrApprovingController } from './certificates/csr-approving-controller.ts';
import { csrCleanerController } from './certificates/csr-cleaner-controller.ts';
import { csrSigningController } from './certificates/csr-signing-controller.ts';
import { ClusterRoleAggregationController } from './cluster-role-aggregation/cluster-role-aggregation-controller.ts';
import type { ControllerContext } from './controller-context.ts';
import { GarbageCollector } from './garbage-collector/garbage-collector.ts';
import { NamespaceController } from './namespace/namespace-controller.ts';
import { rootCACertPublisher } from './namespace-objects/root-ca-cert-publisher.ts';
import { serviceAccountsController } from './namespace-objects/service-accounts-controller.ts';
import { ResourceQuotaController } from './resource-quota/resource-quota-controller.ts';
import { TokensController } from './service-account-tokens/tokens-controller.ts';
import { ServiceCIDRsController } from './service-cidrs/service-cidrs-controller.ts';
import { pvcProtectionController, pvProtectionController, vacProtectionController } from './storage-protection/protections.ts';
import { ValidatingAdmissionPolicyStatusController } from './validating-admission-policy-status/status-controller.ts';

/** Makes a controller. Controllers of a simulation are loaded when they start. */
export type NewController = (context: ControllerContext) => Controller | Promise<Controller>;

const constructors: Readonly<Record<ControllerName, NewController>> = {
  'certificatesigningrequest-approving-controller': csrApprovingController,
  'certificatesigningrequest-cleaner-controller': csrCleanerController,
  'certificatesigningrequest-signing-controller': csrSigningController,
  'clusterrole-aggregation-controller': (context) => new ClusterRoleAggregationController(context),
  'daemonset-controller': async (context) => new (await import('./daemon/daemon-sets-controller.ts')).DaemonSetsController(context),
  'deployment-controller': async (context) => (await import('./deployment/deployment-controller.ts')).deploymentController(context),
  'cronjob-controller': async (context) => (await import('./cronjob/cron-job-controller.ts')).cronJobController(context),
  'disruption-controller': async (context) => new (await import('./disruption/disruption-controller.ts')).DisruptionController(context),
  'endpoints-controller': async (context) => (await import('./endpoint/endpoints-controller.ts')).endpointsController(context),
  'endpointslice-controller': async (context) =>
    (await import('./endpointslice/endpoint-slice-controller.ts')).endpointSliceController(context),
  'ephemeral-volume-controller': async (context) =>
    (await import('./ephemeral-volume/ephemeral-volume-controller.ts')).ephemeralVolumeController(context),
  'endpointslice-mirroring-controller': async (context) =>
    (await import('./endpointslicemirroring/endpoint-slice-mirroring-controller.ts')).endpointSliceMirroringController(context),
  'garbage-collector-controller': (context) => new GarbageCollector(context),
  'horizontal-pod-autoscaler-controller': async (context) =>
    (await import('./podautoscaler/horizontal-controller.ts')).horizontalController(context),
  'job-controller': async (context) => (await import('./job/job-controller.ts')).jobController(context),
  'namespace-controller': (context) => new NamespaceController(context),
  'persistentvolume-binder-controller': async (context) =>
    (await import('./persistentvolume/persistent-volume-controller.ts')).persistentVolumeController(context),
  'node-lifecycle-controller': async (context) =>
    new (await import('./nodelifecycle/node-lifecycle-controller.ts')).NodeLifecycleController(context),
  'persistentvolume-protection-controller': pvProtectionController,
  'persistentvolumeclaim-protection-controller': pvcProtectionController,
  'pod-garbage-collector-controller': async (context) => (await import('./podgc/pod-gc-controller.ts')).podGCController(context),
  'replicaset-controller': async (context) => (await import('./replicaset/replica-set-controller.ts')).replicaSetController(context),
  'replicationcontroller-controller': async (context) =>
    (await import('./replication/replication-controller.ts')).replicationManager(context),
  'resourcequota-controller': (context) => new ResourceQuotaController(context),
  'root-ca-certificate-publisher-controller': rootCACertPublisher,
  'service-cidr-controller': (context) => new ServiceCIDRsController(context),
  'serviceaccount-controller': serviceAccountsController,
  'serviceaccount-token-controller': (context) => new TokensController(context),
  'statefulset-controller': async (context) => (await import('./statefulset/stateful-set-controller.ts')).statefulSetController(context),
  'taint-eviction-controller': async (context) =>
    new (await import('./tainteviction/taint-eviction-controller.ts')).TaintEvictionController(context),
  'ttl-after-finished-controller': async (context) =>
    (await import('./ttl-after-finished/ttl-after-finished-controller.ts')).ttlAfterFinishedController(context),
  'ttl-controller': async (context) => (await import('./ttl/ttl-controller.ts')).ttlController(context),
  'validatingadmissionpolicy-status-controller': (context) => new ValidatingAdmissionPolicyStatusController(context),
  'volumeattributesclass-protection-controller': vacProtectionController,
};

export interface RunningControllers {
  /** Resolves when every controller has synced or failed to start. */
  readonly synced: Promise<void>;
  /** Resolves when the named controller has synced or failed to start, at once if it is not running. */
  whenSynced(name: ProcessName): Promise<void>;
  /** Returns the controllers that have work left or have not synced. */
  busy(): readonly string[];
  close(): Promise<void>;
}

/**
 * Starts controllers in the background.
 *
 * @param others loops of other control plane processes, by name
 * @param order the moment at which each of them starts
 */
export function startControllers(
  given: Omit<ControllerContext, 'informers'>,
  names: ReadonlySet<ControllerName>,
  others: Readonly<Partial<Record<SimulatedProcess, NewController>>> = {},
  order: StartOrder = atOnce,
  dormancy?: Dormancy,
): RunningControllers {
  const informers = new SharedInformers(given.stores, given.logger);
  const context: ControllerContext = { ...given, informers };
  const makers = [...[...names].map((name) => [name, constructors[name]] as const), ...Object.entries(others)];
  const running = makers.map(([name, newController]) => {
    let made: ReturnType<NewController> | undefined;
    let closed = false;
    const report = (err: unknown): void => {
      if (!closed) context.logger.error({ err, controller: name }, 'a controller could not start');
    };
    const rule = dormancy?.rules.get(name);
    const make = (): ReturnType<NewController> =>
      dormancy === undefined || rule === undefined
        ? newController(context)
        : new DormantController(dormancy.alarm, rule, () => newController(context), report);
    const start = async (): Promise<void> => {
      if (closed) return;
      made = make();
      await (made instanceof Promise ? (await made).start() : made.start());
    };
    const synced = order(start).catch(report);
    let isSynced = false;
    void synced.then(() => {
      isSynced = true;
    });
    const isBusy = (): boolean => !isSynced || (made !== undefined && 'isIdle' in made && made.isIdle === false);
    const close = async (): Promise<void> => {
      closed = true;
      await (await made)?.close();
      await synced;
    };
    return { name, synced, isBusy, close };
  });
  return {
    synced: Promise.all(running.map(({ synced }) => synced)).then(() => undefined),
    busy: () => running.filter(({ isBusy }) => isBusy()).map(({ name }) => name),
    whenSynced: async (name) => running.find((one) => one.name === name)?.synced,
    async close() {
      await Promise.all(running.map(({ close }) => close()));
      informers.close();
    },
  };
}
