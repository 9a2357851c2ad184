import { formatGroupResource, type GroupResource } from '../../machinery/gvk.ts';

const policies = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'];
const bindings = ['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings'];

const excluded: ReadonlySet<string> = new Set([
  // a policy must not prevent its own repair
  ...[...policies, ...bindings].map((resource) => `${resource}.admissionregistration.k8s.io`),
  // refusing these breaks a cluster (pkg/kubeapiserver/admission/exclusion)
  ...['selfsubjectreviews', 'tokenreviews'].map((resource) => `${resource}.authentication.k8s.io`),
  ...['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'].map(
    (resource) => `${resource}.authorization.k8s.io`,
  ),
]);

/** Reports whether a resource is exempt from policies. (policy/generic shouldIgnoreResource) */
export const isExcluded = (resource: GroupResource): boolean => excluded.has(formatGroupResource(resource));
