/** Rules that overlays name as `custom`: (object, field), and on updates (object, old, field). Messages are upstream's. */
export { validateAPIService } from '../apiregistration.k8s.io/api-service.ts';
export { validateLease } from '../coordination.k8s.io/lease.ts';
export { validateLeaseCandidate, validateLeaseCandidateUpdate } from '../coordination.k8s.io/lease-candidate.ts';
export { validateFlowSchema } from '../flowcontrol.apiserver.k8s.io/flow-schema.ts';
export { validatePriorityLevelConfiguration } from '../flowcontrol.apiserver.k8s.io/priority-level-configuration.ts';
export { validateIPAddress, validateIPAddressUpdate } from '../networking.k8s.io/ip-address.ts';
export { validateRuntimeClass, validateRuntimeClassUpdate } from '../node.k8s.io/runtime-class.ts';
export { validateClusterRole, validateRole } from '../rbac.authorization.k8s.io/role.ts';
export {
  validateClusterRoleBinding,
  validateRoleBinding,
  validateRoleBindingUpdate,
} from '../rbac.authorization.k8s.io/role-binding.ts';
export { validateStorageVersionMigration } from '../storagemigration.k8s.io/storage-version-migration.ts';
