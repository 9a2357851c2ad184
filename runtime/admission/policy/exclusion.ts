import { formatGroupResource, type GroupResource } from '../../machinery/gvk.ts';

const policies = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'];
const bindings = ['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'];

const excluded: ReadonlySet<string> = new Set([
  // a policy must not keep anyone from repairing it
  ...[...policies, ...bindings].map((resource) => `${resource}.admissionregistration.k8s.io`),
  // a cluster in which these are refused does not work any more (pkg/kubeapiserver/admission/exclusion)
  ...['selfsubjectreviews', 'tokenreviews'].map((resource) => `${resource}.authentication.k8s.io`),
  ...['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'].map(
    (resource) => `${resource}.authorization.k8s.io`,
  ),
]);

/** Whether policies are never asked about a resource. (policy/generic shouldIgnoreResource) */
export const isExcluded = (resource: GroupResource): boolean => excluded.has(formatGroupResource(resource));
