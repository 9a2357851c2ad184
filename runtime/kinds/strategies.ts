import type { RESTStrategy, StrategyTable } from '../resources/rest.ts';
import { daemonSetStrategy, daemonSetWarnings } from './apps/daemon-set.ts';
import { workloadWarnings } from './apps/pod-template.ts';
import { statefulSetWarnings } from './apps/stateful-set.ts';
import { selfSubjectReviewStrategy, tokenReviewStrategy } from './authentication.k8s.io/token-review.ts';
import {
  localSubjectAccessReviewStrategy,
  selfSubjectAccessReviewStrategy,
  selfSubjectRulesReviewStrategy,
  subjectAccessReviewStrategy,
} from './authorization.k8s.io/subject-access-review.ts';
import { cronJobWarnings } from './batch/cron-job.ts';
import { jobStrategy, jobWarnings } from './batch/job.ts';
import { certificateSigningRequestStrategy } from './certificates.k8s.io/certificate-signing-request-strategy.ts';
import { endpointsWarnings } from './core/endpoints.ts';
import { namespaceStrategy } from './core/namespace.ts';
import { nodeWarnings } from './core/node.ts';
import { persistentVolumeWarnings } from './core/persistent-volume.ts';
import { persistentVolumeClaimWarnings } from './core/persistent-volume-claim.ts';
import { bindingStrategy } from './core/pod/binding.ts';
import { podStrategy } from './core/pod/strategy.ts';
import { podWarnings } from './core/pod/warnings.ts';
import { podTemplateWarnings } from './core/pod-template.ts';
import { replicationControllerWarnings } from './core/replication-controller.ts';
import { resourceQuotaWarnings } from './core/resource-quota.ts';
import { secretWarnings } from './core/secret.ts';
import { serviceStrategy } from './core/service/strategy.ts';
import { serviceWarnings } from './core/service/warnings.ts';
import { serviceAccountWarnings } from './core/service-account.ts';
import { endpointSliceWarnings } from './discovery.k8s.io/endpoint-slice.ts';
import { ingressWarnings } from './networking.k8s.io/ingress.ts';
import { networkPolicyWarnings } from './networking.k8s.io/network-policy.ts';
import { runtimeClassWarnings } from './node.k8s.io/runtime-class.ts';
import { resourceSliceWarnings } from './resource.k8s.io/resource-slice.ts';
import { csiStorageCapacityWarnings } from './storage.k8s.io/csi-storage-capacity.ts';
import { storageClassWarnings } from './storage.k8s.io/storage-class.ts';
import type { WarningStrategy } from './warnings.ts';

/** Kinds whose deletion answers with the object; the others answer with a Status. (ReturnDeletedObject upstream) */
const returned: RESTStrategy = { returnDeletedObject: true };

const orphaning: RESTStrategy = { defaultGarbageCollectionPolicy: 'OrphanDependents' };
const ownerless: RESTStrategy = { defaultGarbageCollectionPolicy: 'Unsupported' };

const strategies: StrategyTable = {
  '/bindings': bindingStrategy,
  '/events': ownerless,
  '/namespaces': namespaceStrategy,
  '/persistentvolumeclaims': returned,
  '/persistentvolumes': returned,
  '/pods': podStrategy,
  '/podtemplates': returned,
  '/replicationcontrollers': orphaning,
  '/resourcequotas': returned,
  '/serviceaccounts': returned,
  '/services': serviceStrategy,
  'apps/daemonsets': daemonSetStrategy,
  'authentication.k8s.io/selfsubjectreviews': selfSubjectReviewStrategy,
  'authentication.k8s.io/tokenreviews': tokenReviewStrategy,
  'authorization.k8s.io/localsubjectaccessreviews': localSubjectAccessReviewStrategy,
  'authorization.k8s.io/selfsubjectaccessreviews': selfSubjectAccessReviewStrategy,
  'authorization.k8s.io/selfsubjectrulesreviews': selfSubjectRulesReviewStrategy,
  'authorization.k8s.io/subjectaccessreviews': subjectAccessReviewStrategy,
  'batch/jobs': jobStrategy,
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequestStrategy,
  'resource.k8s.io/deviceclasses': returned,
  'resource.k8s.io/devicetaintrules': returned,
  'resource.k8s.io/resourceclaims': returned,
  'resource.k8s.io/resourceclaimtemplates': returned,
  'resource.k8s.io/resourceslices': returned,
  'storage.k8s.io/csidrivers': returned,
  'storage.k8s.io/csinodes': returned,
  'storage.k8s.io/storageclasses': returned,
  'storage.k8s.io/volumeattachments': returned,
  'storage.k8s.io/volumeattributesclasses': returned,
};

/** What writers of built-in kinds are told, by "group/plural". What they read is alike in all versions. */
export const builtinWarnings: Readonly<Record<string, WarningStrategy>> = {
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
  'storage.k8s.io/csistoragecapacities': csiStorageCapacityWarnings,
  'storage.k8s.io/storageclasses': storageClassWarnings,
};

/** Adds the warnings of built-in kinds, by "group/plural", to the strategies. */
function withWarnings(table: StrategyTable, rules: Readonly<Record<string, WarningStrategy>>): StrategyTable {
  const strategies: Record<string, RESTStrategy> = { ...table };
  for (const [key, rule] of Object.entries(rules)) strategies[key] = { ...strategies[key], warnings: warningsBy(rule) };
  return strategies;
}

const warningsBy =
  (rule: WarningStrategy): NonNullable<RESTStrategy['warnings']> =>
  (object, old, { part }) => {
    if (old === undefined) return rule.warningsOnCreate?.(object) ?? [];
    if (part === 'status') return rule.warningsOnStatusUpdate?.(object) ?? [];
    return part === 'main' ? (rule.warningsOnUpdate?.(object, old) ?? []) : [];
  };

/** Where built-in resources differ from what their definitions say, by "group/plural". */
export const builtinStrategies: StrategyTable = withWarnings(strategies, builtinWarnings);
