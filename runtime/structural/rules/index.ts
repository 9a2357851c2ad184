/**
 * The validation rules that overlays name as `custom`: `validateX(object, path, errors)`, and `updateX(object, old,
 * path, errors)` for what may not change. Messages are upstream's.
 */
export * from './access.ts';
export { validateAutoscaler, validateAutoscalerV1 } from './autoscalers.ts';
export { updateClaim, validateClaim } from './claims.ts';
export * from './cluster.ts';
export * from './config.ts';
export * from './control-plane.ts';
export * from './devices.ts';
export { validateFlowSchema, validatePriorityLevel } from './flow-control.ts';
export * from './jobs.ts';
export * from './networks.ts';
export { updatePod, validatePod, validatePodTemplate } from './pods.ts';
export * from './quotas.ts';
export { updateService, validateService } from './services.ts';
export * from './storage.ts';
export {
  updateControllerRevision,
  updateSelector,
  updateStatefulSet,
  validateControllerRevision,
  validateDaemonSet,
  validateDeployment,
  validateDisruptionBudget,
  validateReplicaSet,
  validateStatefulSet,
} from './workloads.ts';
