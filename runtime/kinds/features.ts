import type { FeatureGates } from '../machinery/feature-gates/feature-gates.ts';

/** The feature gates that change built-in kinds and their controllers. Absent gates are off. */
export type KindFeatures = Partial<FeatureGates>;
