import { warningRules } from '../../structural/warnings/index.ts';
import type { RESTStrategy, StrategyTable } from '../rest.ts';
import { withWarnings } from '../warnings.ts';
import { daemonSets } from './apps/daemon-sets.ts';
import { selfSubjectReviews, tokenReviews } from './authentication.k8s.io/reviews.ts';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
} from './authorization.k8s.io/access-reviews.ts';
import { jobs } from './batch/jobs.ts';
import { certificateSigningRequests } from './certificates.k8s.io/certificate-signing-requests.ts';
import { bindings } from './core/bindings.ts';
import { namespaces } from './core/namespaces.ts';
import { pods } from './core/pods.ts';
import { services } from './core/services.ts';

/** Kinds whose deletion answers with the object; the others answer with a Status. (ReturnDeletedObject upstream) */
const returned: RESTStrategy = { returnDeletedObject: true };

const orphaning: RESTStrategy = { defaultGarbageCollectionPolicy: 'OrphanDependents' };
const ownerless: RESTStrategy = { defaultGarbageCollectionPolicy: 'Unsupported' };

const strategies: StrategyTable = {
  '/bindings': bindings,
  '/events': ownerless,
  '/namespaces': namespaces,
  '/persistentvolumeclaims': returned,
  '/persistentvolumes': returned,
  '/pods': pods,
  '/podtemplates': returned,
  '/replicationcontrollers': orphaning,
  '/resourcequotas': returned,
  '/serviceaccounts': returned,
  '/services': services,
  'apps/daemonsets': daemonSets,
  'authentication.k8s.io/selfsubjectreviews': selfSubjectReviews,
  'authentication.k8s.io/tokenreviews': tokenReviews,
  'authorization.k8s.io/localsubjectaccessreviews': localSubjectAccessReviews,
  'authorization.k8s.io/selfsubjectaccessreviews': selfSubjectAccessReviews,
  'authorization.k8s.io/selfsubjectrulesreviews': selfSubjectRulesReviews,
  'authorization.k8s.io/subjectaccessreviews': subjectAccessReviews,
  'batch/jobs': jobs,
  'certificates.k8s.io/certificatesigningrequests': certificateSigningRequests,
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

/** Where built-in resources differ from what their definitions say, by "group/plural". */
export const builtinStrategies: StrategyTable = withWarnings(strategies, warningRules);
