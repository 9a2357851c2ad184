const webhooks = 'webhooks are not called: there is no admission chain yet';
const expressions = 'expressions of webhook configurations are kept and not compiled';

/** Entries of upstream's conformance tests that no test covers, as they are listed, with the reason. */
export const unproven: Readonly<Record<string, string>> = {
  'AdmissionWebhook listing mutating webhooks should work': webhooks,
  'AdmissionWebhook listing validating webhooks should work': webhooks,
  'AdmissionWebhook patching/updating a mutating webhook should work': webhooks,
  'AdmissionWebhook patching/updating a validating webhook should work': webhooks,
  'AdmissionWebhook should be able to deny attaching pod': webhooks,
  '… deny custom resource creation, update and deletion': webhooks,
  '… deny pod and configmap creation': webhooks,
  'AdmissionWebhook should deny crd creation': webhooks,
  'AdmissionWebhook should honor timeout': webhooks,
  'AdmissionWebhook should mutate configmap': webhooks,
  'AdmissionWebhook should mutate custom resource': webhooks,
  '… mutate custom resource with different stored version': webhooks,
  '… mutate custom resource with pruning': webhooks,
  "… mutate everything except 'skip-me' configmaps": webhooks,
  '… mutate pod and apply defaults after mutation': webhooks,
  '… not be able to mutate or prevent deletion of webhook configuration objects': webhooks,
  '… reject mutating webhook configurations with invalid match conditions': expressions,
  '… reject validating webhook configurations with invalid match conditions': expressions,
  '… unconditionally reject operations on fail closed webhook': webhooks,
};

/** Entries of access that no test covers, with the reason. */
export const unprovenAccess: Readonly<Record<string, string>> = {
  'ServiceAccounts should allow opting out of API token automount':
    'the admission plugin ServiceAccount mounts tokens: there is no admission chain yet',
};

/** Entries that the list words differently than upstream, whose words the tests use. */
export const reworded: Readonly<Record<string, string>> = {
  'CustomResourceDefinition resources Simple CRD creating/deleting … works':
    'CustomResourceDefinition resources Simple CustomResourceDefinition creating/deleting … works',
  'FieldValidation should detect unknown metadata fields in both the root and embedded object of a CR':
    'FieldValidation should detect unknown metadata fields of both the root and embedded objects of a CR',
  '… should orphan RS created by deployment when propagationPolicy is Orphan':
    '… should orphan RS created by deployment when deleteOptions.PropagationPolicy is Orphan',
};
