import type { Endpoints } from '../../../generated/v1.35/core/v1/types.ts';

const recordAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/**
 * Reports whether clients use these Endpoints for leader election. They then belong to no service.
 * (LeaderElectionRecordAnnotationKey)
 */
export const electsLeader = ({ metadata }: Endpoints): boolean => metadata.annotations?.[recordAnnotation] !== undefined;
