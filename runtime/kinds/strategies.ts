import type { Authorizer } from '../authorization/authorizer.ts';
import { parseFeatureGates } from '../machinery/feature-gates/feature-gates.ts';
import type { RESTStrategies, RESTStrategy } from '../resources/rest.ts';
import { type ParamAccessOptions, policyStrategies } from './admissionregistration.k8s.io/param-access.ts';
import { webhookConfigurationStrategy } from './admissionregistration.k8s.io/webhook-configuration.ts';
import { apiServiceStrategy } from './apiregistration.k8s.io/api-service.ts';
import { controllerRevisionStrategy } from './apps/controller-revision.ts';
import { daemonSetStrategy, daemonSetWarnings } from './apps/daemon-set.ts';
import { deploymentStrategy } from './apps/deployment.ts';
import { replicaSetStrategy } from './apps/replica-set.ts';
import { newStatefulSetStrategy, statefulSetWarnings } from './apps/stateful-set.ts';
import { workloadWarnings } from './apps/workloads.ts';
import { newTokenReviewStrategy, selfSubjectReviewStrategy, type TokenReviewOptions } from './authentication.k8s.io/token-review.ts';
import {
  newLocalSubjectAccessReviewStrategy,
  newSelfSubjectAccessReviewStrategy,
  newSelfSubjectRulesReviewStrategy,
  newSubjectAccessReviewStrategy,
} from './authorization.k8s.io/subject-access-review.ts';
import { horizontalPodAutoscalerStrategy } from './autoscaling/horizontal-pod-autoscaler/strategy.ts';
import { cronJobStrategy, cronJobWarnings } from './batch/cron-job.ts';
import { jobStrategy, jobWarnings } from './batch/job.ts';
import { certificateSigningRequestStrategy } from './certificates.k8s.io/certificate-signing-request.ts';
import { clusterTrustBundleStrategy } from './certificates.k8s.io/cluster-trust-bundle.ts';
import { newPodCertificateRequestStrategy } from './certificates.k8s.io/pod-certificate-request.ts';
import { leaseStrategy } from './coordination.k8s.io/lease.ts';
import { type ComponentProbe, newComponentStatusStrategy } from './core/component-status.ts';
import { configMapStrategy } from './core/config-map.ts';
import { endpointsStrategy, endpointsWarnings } from './core/endpoints.ts';
import { type EventStrategyOptions, newEventStrategy } from './core/event.ts';
import { limitRangeStrategy } from './core/limit-range.ts';
import { namespaceStrategy } from './core/namespace.ts';
import { nodeStrategy, nodeWarnings } from './core/node.ts';
import { persistentVolumeStrategy, persistentVolumeWarnings } from './core/persistent-volume.ts';
import { persistentVolumeClaimStrategy, persistentVolumeClaimWarnings } from './core/persistent-volume-claim.ts';
import { bindingStrategy } from './core/pod/binding.ts';
import { withPodTemplate } from './core/pod/disabled-fields.ts';
import { podStrategy } from './core/pod/strategy.ts';
import { podWarnings } from './core/pod/warnings.ts';
import { podTemplateStrategy, podTemplateWarnings } from './core/pod-template.ts';
import { replicationControllerStrategy, replicationControllerWarnings } from './core/replication-controller.ts';
import { resourceQuotaStrategy, resourceQuotaWarnings } from './core/resource-quota.ts';
import { secretStrategy, secretWarnings } from './core/secret.ts';
import type { ServiceAllocators } from './core/service/allocators.ts';
import { newServiceStrategy } from './core/service/strategy.ts';
import { serviceWarnings } from './core/service/warnings.ts';
import { serviceAccountStrategy, serviceAccountWarnings } from './core/service-account.ts';
import { withoutDisabledFields } from './disabled-fields.ts';
import { endpointSliceStrategy, endpointSliceWarnings } from './discovery.k8s.io/endpoint-slice.ts';
import type { KindFeatures } from './features.ts';
import { disabledFields } from './gated-fields.ts';
import { storageVersionStrategy } from './internal.apiserver.k8s.io/storage-version.ts';
import { ingressStrategy, ingressWarnings } from './networking.k8s.io/ingress.ts';
import { ingressClassStrategy } from './networking.k8s.io/ingress-class.ts';
import { networkPolicyStrategy, networkPolicyWarnings } from './networking.k8s.io/network-policy.ts';
import { serviceCIDRStrategy } from './networking.k8s.io/service-cidr.ts';
import { runtimeClassWarnings } from './node.k8s.io/runtime-class.ts';
// shared by generated code of several groups, which are loaded at once
import './overlays/validation.ts';
import { podDisruptionBudgetStrategy } from './policy/pod-disruption-budget.ts';
import { type EscalationOptions, policyBasedStrategies } from './rbac.authorization.k8s.io/policy-based.ts';
import { deviceClassStrategy } from './resource.k8s.io/device-class.ts';
import { deviceTaintRuleStrategy } from './resource.k8s.io/device-taint-rule.ts';
import { resourceClaimStrategy } from './resource.k8s.io/resource-claim.ts';
import { resourceClaimTemplateStrategy } from './resource.k8s.io/resource-claim-template.ts';
import { resourceSliceStrategy, resourceSliceWarnings } from './resource.k8s.io/resource-slice.ts';
import { priorityClassStrategy } from './scheduling.k8s.io/priority-class.ts';
import { workloadStrategy } from './scheduling.k8s.io/workload.ts';
import { csiDriverStrategy, csiDriverWarnings } from './storage.k8s.io/csi-driver.ts';
import { newCSINodeStrategy } from './storage.k8s.io/csi-node.ts';
import { csiStorageCapacityStrategy, csiStorageCapacityWarnings } from './storage.k8s.io/csi-storage-capacity.ts';
import { storageClassStrategy, storageClassWarnings } from './storage.k8s.io/storage-class.ts';
import { volumeAttachmentStrategy } from './storage.k8s.io/volume-attachment.ts';
import { volumeAttributesClassStrategy } from './storage.k8s.io/volume-attributes-class.ts';
import { storageVersionMigrationStrategy } from './storagemigration.k8s.io/storage-version-migration.ts';
import { none, type WriteWarnings } from './warnings.ts';

const strategies: RESTStrategies = {
  '/bindings': bindingStrategy,
  '/configmaps': configMapStrategy,
  '/endpoints': endpointsStrategy,
  '/limitranges': limitRangeStrategy,
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': persistentVolumeClaimStrategy,
  '/persistentvolumes': persistentVolumeStrategy,
  '/pods': podStrategy,
  '/podtemplates': withPodTemplate(podTemplateStrategy),
  '/replicationcontrollers': withPodTemplate(replicationControllerStrategy),
  '/resourcequotas': resourceQuotaStrategy,
  '/secrets': secretStrategy,
  '/serviceaccounts': serviceAccountStrategy,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookConfigurationStrategy,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookConfigurationStrategy,
  'apiregistration.k8s.io/apiservices': apiServiceStrategy,
  'apps/controllerrevisions': controllerRevisionStrategy,
  'apps/daemonsets': withPodTemplate(daemonSetStrategy),
  'apps/deployments': withPodTemplate(deploymentStrategy),
  'apps/replicasets': withPodTemplate(replicaSetStrategy),
  'authentication.k8s.io/selfsubjectreviews': selfSubjectReviewStrategy,
  'autoscaling/horizontalpodautoscalers': horizontalPodAutoscalerStrategy,
  'batch/cronjobs': withPodTemplate(cronJobStrategy),
  'batch/jobs': withPodTemplate(jobStrategy),
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestStrategy,
  'certificates.k8s.io/clustertrustbundles': clusterTrustBundleStrategy,
  'coordination.k8s.io/leases': leaseStrategy,
  'discovery.k8s.io/endpointslices': endpointSliceStrategy,
  'internal.apiserver.k8s.io/storageversions': storageVersionStrategy,
  'networking.k8s.io/ingressclasses': ingressClassStrategy,
  'networking.k8s.io/ingresses': ingressStrategy,
  'networking.k8s.io/networkpolicies': networkPolicyStrategy,
  'networking.k8s.io/servicecidrs': serviceCIDRStrategy,
  'policy/poddisruptionbudgets': podDisruptionBudgetStrategy,
  'resource.k8s.io/deviceclasses': deviceClassStrategy,
  'resource.k8s.io/devicetaintrules': deviceTaintRuleStrategy,
  'resource.k8s.io/resourceclaims': resourceClaimStrategy,
  'resource.k8s.io/resourceclaimtemplates': resourceClaimTemplateStrategy,
  'resource.k8s.io/resourceslices': resourceSliceStrategy,
  'scheduling.k8s.io/priorityclasses': priorityClassStrategy,
  'scheduling.k8s.io/workloads': workloadStrategy,
  'storage.k8s.io/csidrivers': csiDriverStrategy,
  'storage.k8s.io/csistoragecapacities': csiStorageCapacityStrategy,
  'storage.k8s.io/storageclasses': storageClassStrategy,
  'storage.k8s.io/volumeattachments': volumeAttachmentStrategy,
  'storage.k8s.io/volumeattributesclasses': volumeAttributesClassStrategy,
  'storagemigration.k8s.io/storageversionmigrations': storageVersionMigrationStrategy,
};

/** Kinds whose strategies compare the specs before they drop the fields of disabled gates. */
const countsDisabledFields: readonly string[] = ['resource.k8s.io/resourceslices'];

/** Subresources whose storage makes no tables, by "group/plural". */
const withoutTables: Readonly<Record<string, readonly string[]>> = {
  '/namespaces': ['finalize'],
  '/pods': ['ephemeralcontainers', 'log', 'resize'],
  '/serviceaccounts': ['token'],
  'apiregistration.k8s.io/apiservices': ['status'],
  'certificates.k8s.io/certificatesigningrequests': ['approval'],
  'resource.k8s.io/devicetaintrules': ['status'],
  'resource.k8s.io/resourceclaims': ['status'],
};

/** The warnings by "group/plural", for all versions, which have the same fields as far as warnings matter. */
export const builtinWarnings: Readonly<Record<string, WriteWarnings>> = {
  '/endpoints': endpointsWarnings,
  '/nodes': nodeWarnings,
  '/persistentvolumeclaims': persistentVolumeClaimWarnings,
  '/persistentvolumes': persistentVolumeWarnings,
  '/pods': podWarnings,
  '/podtemplates': podTemplateWarnings,
  '/replicationcontrollers': replicationControllerWarnings,
  '/resourcequotas': resourceQuotaWarnings,
  '/secrets': secretWarnings,
  '/serviceaccounts': serviceAccountWarnings,
  '/services': serviceWarnings,
  'apps/daemonsets': daemonSetWarnings,
  'apps/deployments': workloadWarnings,
  'apps/replicasets': workloadWarnings,
  'apps/statefulsets': statefulSetWarnings,
  'batch/cronjobs': cronJobWarnings,
  'batch/jobs': jobWarnings,
  'discovery.k8s.io/endpointslices': endpointSliceWarnings,
  'networking.k8s.io/ingresses': ingressWarnings,
  'networking.k8s.io/networkpolicies': networkPolicyWarnings,
  'node.k8s.io/runtimeclasses': runtimeClassWarnings,
  'resource.k8s.io/resourceslices': resourceSliceWarnings,
  'storage.k8s.io/csidrivers': csiDriverWarnings,
  'storage.k8s.io/csistoragecapacities': csiStorageCapacityWarnings,
  'storage.k8s.io/storageclasses': storageClassWarnings,
};

const warningsOf =
  (strategy: WriteWarnings): NonNullable<RESTStrategy['warnings']> =>
  (object, old, { part, stores }) => {
    const { rules } = stores;
    if (old === undefined) return strategy.warningsOnCreate?.(object, rules) ?? none;
    if (part === 'status') return strategy.warningsOnStatusUpdate?.(object) ?? none;
    return part === 'main' ? (strategy.warningsOnUpdate?.(object, old, rules) ?? none) : none;
  };

/** The dependencies of the built-in resources' strategies. */
export interface StrategyOptions extends TokenReviewOptions, EscalationOptions, ParamAccessOptions, EventStrategyOptions {
  readonly authorizer: Authorizer;
  readonly serviceAllocators: ServiceAllocators;
  /** The minor of the Kubernetes release, as 35. */
  readonly minor: number;
  readonly features?: KindFeatures;
  /** The probes of componentstatuses. Default: none. */
  readonly componentProbes?: Readonly<Record<string, ComponentProbe>>;
}

const configuredStrategies = (options: StrategyOptions): RESTStrategies => ({
  '/events': newEventStrategy(options),
  '/componentstatuses': newComponentStatusStrategy(options.componentProbes ?? {}),
  '/services': newServiceStrategy(options.serviceAllocators),
  'apps/statefulsets': withPodTemplate(newStatefulSetStrategy(options.features)),
  'authentication.k8s.io/tokenreviews': newTokenReviewStrategy(options),
  'authorization.k8s.io/localsubjectaccessreviews': newLocalSubjectAccessReviewStrategy(options.authorizer),
  'authorization.k8s.io/selfsubjectaccessreviews': newSelfSubjectAccessReviewStrategy(options.authorizer),
  'authorization.k8s.io/selfsubjectrulesreviews': newSelfSubjectRulesReviewStrategy(options.authorizer),
  'authorization.k8s.io/subjectaccessreviews': newSubjectAccessReviewStrategy(options.authorizer),
  'storage.k8s.io/csinodes': newCSINodeStrategy(options.features ?? parseFeatureGates([], options.minor)),
  'certificates.k8s.io/podcertificaterequests': newPodCertificateRequestStrategy(options.authorizer),
});

/** The first and last minor whose fields the strategies know, for kinds whose fields differ between releases. */
const knownMinors: Readonly<Record<string, readonly [first: number, last: number]>> = {
  'scheduling.k8s.io/workloads': [35, 35],
  'storagemigration.k8s.io/storageversionmigrations': [35, Number.POSITIVE_INFINITY],
};

/** The first minor with the warnings of a kind. Default: any. */
const firstWarnings: Readonly<Record<string, number>> = {
  '/resourcequotas': 35,
  'resource.k8s.io/resourceslices': 35,
  'storage.k8s.io/csidrivers': 35,
};

function isKnown(key: string, minor: number): boolean {
  const [first, last] = knownMinors[key] ?? [minor, minor];
  return first <= minor && minor <= last;
}

/** Returns the strategies of the built-in resources, by "group/plural". */
export function builtinStrategies(options: StrategyOptions): RESTStrategies {
  const table: RESTStrategies = {
    ...strategies,
    ...configuredStrategies(options),
    ...policyBasedStrategies(options),
    ...policyStrategies(options),
  };
  const known = Object.entries(builtinWarnings).filter(([key]) => options.minor >= (firstWarnings[key] ?? 0));
  const withWarnings = known.map(([key, warnings]) => [key, { ...table[key], warnings: warningsOf(warnings) }] as const);
  const complete = { ...table, ...Object.fromEntries(withWarnings) };
  const gated = disabledFields(options.features ?? parseFeatureGates([], options.minor), options.minor).map(
    ([key, gates]) => [key, withoutDisabledFields(complete[key] ?? {}, gates, countsDisabledFields.includes(key))] as const,
  );
  const all = Object.entries({ ...complete, ...Object.fromEntries(gated) }).map(
    ([key, strategy]) => [key, key in withoutTables ? { ...strategy, withoutTables: withoutTables[key] } : strategy] as const,
  );
  return Object.fromEntries(all.filter(([key]) => isKnown(key, options.minor)));
}
