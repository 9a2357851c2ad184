import { rbacGroup } from '../../authorization/rbac/objects.ts';
import type { ResourceRegistry } from '../../resources/registry.ts';
import type { CompletedConfig } from '../config.ts';
import type { StartStep } from './health-checks.ts';
import type { Milestones } from './milestones.ts';

export interface StartStepsOptions {
  readonly config: CompletedConfig;
  readonly registry: ResourceRegistry;
  /** Whether flow control has queues. */
  readonly hasQueues: boolean;
  readonly milestones: Milestones;
  /** Undefined if there are no fixtures. */
  readonly fixturesLoaded: Promise<unknown> | undefined;
}

/** Returns the steps of the start in kube-apiserver's order. Steps before the port opens count as finished. */
export function startSteps(options: StartStepsOptions): readonly StartStep[] {
  const { config, registry, hasQueues, milestones, fixturesLoaded } = options;
  const flowControlConfigured = milestones.when('flow control configured');
  const controlPlaneStarted = milestones.when('control plane started');
  const announced = milestones.when('announced');
  const serves = (group: string, resource: string): boolean => registry.lookup(group, 'v1', resource) !== undefined;
  const namespaces = serves('', 'namespaces');
  const services = serves('', 'services');
  const definitions = serves('apiextensions.k8s.io', 'customresourcedefinitions');
  const identity = config.features.APIServerIdentity && serves('coordination.k8s.io', 'leases');
  const reloads = config.options.encryptionProviderConfigAutomaticReload ?? false;
  const steps: readonly (readonly [isThere: boolean, name: string, finished?: Promise<unknown>])[] = [
    [reloads, 'start-encryption-provider-config-automatic-reload'],
    [true, 'start-apiserver-admission-initializer'],
    [true, 'generic-apiserver-start-informers'],
    [hasQueues, 'priority-and-fairness-config-consumer', flowControlConfigured],
    [true, hasQueues ? 'priority-and-fairness-filter' : 'max-in-flight-filter'],
    [true, 'storage-object-count-tracker-hook'],
    [definitions, 'start-apiextensions-informers'],
    [definitions, 'start-apiextensions-controllers'],
    [definitions, 'crd-informer-synced'],
    [namespaces, 'start-system-namespaces-controller'],
    [namespaces && serves('', 'configmaps'), 'start-cluster-authentication-info-controller', controlPlaneStarted],
    [identity, 'start-kube-apiserver-identity-lease-controller', controlPlaneStarted],
    [identity, 'start-kube-apiserver-identity-lease-garbage-collector', controlPlaneStarted],
    [namespaces && serves('', 'configmaps'), 'start-legacy-token-tracking-controller', controlPlaneStarted],
    [services, 'start-service-ip-repair-controllers', controlPlaneStarted],
    [serves(rbacGroup, 'clusterroles'), 'rbac/bootstrap-roles'],
    [serves('scheduling.k8s.io', 'priorityclasses'), 'scheduling/bootstrap-system-priority-classes'],
    [hasQueues, 'priority-and-fairness-config-producer', flowControlConfigured],
    [services, 'bootstrap-controller', controlPlaneStarted],
    [services, 'start-kubernetes-service-cidr-controller'],
    [fixturesLoaded !== undefined, 'load-fixtures', fixturesLoaded ?? Promise.resolve()],
    [config.options.testControls === true, 'serve-test-controls', announced],
    [config.options.writeKubeconfig !== undefined, 'write-kubeconfig', announced],
  ];
  return steps.flatMap(([isThere, name, finished]) => (isThere ? [{ name, finished }] : []));
}
