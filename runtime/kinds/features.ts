import type { FeatureGates } from '../machinery/feature-gates/feature-gates.ts';

/** The feature gates that change what built-in kinds are, and what their controllers do. Absent ones are off. */
export type KindFeatures = Partial<FeatureGates>;
