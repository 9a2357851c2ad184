/** Listed entries of upstream's conformance tests without a test here, with the reason. */
export const unproven: Readonly<Record<string, string>> = {};

/** Listed entries whose wording differs from upstream's. The tests have upstream's. */
export const reworded: Readonly<Record<string, string>> = {
  'CustomResourceDefinition resources Simple CRD creating/deleting … works':
    'CustomResourceDefinition resources Simple CustomResourceDefinition creating/deleting … works',
  'FieldValidation should detect unknown metadata fields in both the root and embedded object of a CR':
    'FieldValidation should detect unknown metadata fields of both the root and embedded objects of a CR',
  '… should orphan RS created by deployment when propagationPolicy is Orphan':
    '… should orphan RS created by deployment when deleteOptions.PropagationPolicy is Orphan',
  'PodTemplates should delete a collection / replace / run the lifecycle': 'PodTemplates should …',
  '[DRA] CRUD Tests resource.k8s.io/v1 DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice (1.35), DeviceTaintRule':
    '[DRA] CRUD Tests resource.k8s.io/v1 …',
};
