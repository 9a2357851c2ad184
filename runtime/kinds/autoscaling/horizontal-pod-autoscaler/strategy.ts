import type { KubeObject } from '../../../machinery/object.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { dropRoundTripAnnotations, hasRoundTripAnnotations } from './annotations.ts';

/** Upstream converts what it reads of autoscaling/v2, too, and drops these. (pkg/apis/autoscaling/v2/conversion.go) */
function withoutRoundTripAnnotations({ apiVersion, metadata }: KubeObject): void {
  if (apiVersion !== 'autoscaling/v2' || !hasRoundTripAnnotations(metadata.annotations)) return;
  metadata.annotations = dropRoundTripAnnotations(metadata.annotations);
  if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}

export const horizontalPodAutoscalerStrategy: RESTStrategy = {
  prepareForCreate: withoutRoundTripAnnotations,
  prepareForUpdate: withoutRoundTripAnnotations,
};
