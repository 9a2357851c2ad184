import type { HookTable, ResourceHooks } from '../hooks.ts';
import { customResourceDefinitions } from './apiextensions.k8s.io/custom-resource-definitions.ts';
import { daemonSets } from './apps/daemon-sets.ts';
import { jobs } from './batch/jobs.ts';
import { certificateSigningRequests } from './certificates.k8s.io/certificate-signing-requests.ts';
import { namespaces } from './core/namespaces.ts';
import { pods } from './core/pods.ts';
import { services } from './core/services.ts';

/** Kinds whose deletion answers with the object; the others answer with a Status. (ReturnDeletedObject upstream) */
const returned: ResourceHooks = { returnsDeleted: true };

/** Where built-in resources differ from what their definitions say, by "group/plural". */
export const builtinHooks: HookTable = {
  '/namespaces': namespaces,
  '/persistentvolumeclaims': returned,
  '/persistentvolumes': returned,
  '/pods': pods,
  '/podtemplates': returned,
  '/resourcequotas': returned,
  '/serviceaccounts': returned,
  '/services': services,
  'apiextensions.k8s.io/customresourcedefinitions': customResourceDefinitions,
  'apps/daemonsets': daemonSets,
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
