/** The defaults that overlays name as `custom`: each takes the object of its type and fills it in place. */
export * from './apiextensions.ts';
export * from './apps.ts';
export * from './autoscaling.ts';
export * from './batch.ts';
export * from './core.ts';
export * from './networking.ts';
export {
  roundCapacity,
  roundHard,
  roundHardAndUsed,
  roundPodOverhead,
  roundResources,
  setLimitRangeDefaults,
  setNodeAllocatable,
} from './quantities.ts';
export * from './resource.ts';
export * from './service.ts';
