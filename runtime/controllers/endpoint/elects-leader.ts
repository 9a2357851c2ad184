import type { Endpoints } from '../../../generated/v1.35/core/v1/types.ts';

const recordAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/** Whether clients elect a leader by these Endpoints, which then are about no service. (LeaderElectionRecordAnnotationKey) */
export const electsLeader = ({ metadata }: Endpoints): boolean => metadata.annotations?.[recordAnnotation] !== undefined;
