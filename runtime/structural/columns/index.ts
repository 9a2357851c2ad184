/** The cells that overlays name as `custom`: (object, now in milliseconds) -> cell. */
export * from './access.ts';
export { age, ageMarks, ageOf, anyTime, createdAt, humanDuration } from './age.ts';
export * from './autoscaling.ts';
export * from './containers.ts';
export * from './control-plane.ts';
export * from './core.ts';
export * from './events.ts';
export * from './label-selectors.ts';
export * from './network.ts';
export * from './nodes.ts';
export * from './pods.ts';
export * from './storage.ts';
export * from './workloads.ts';
