/** Conversions that overlays name, beside the two that need no hand. */
export { autoscalerFromV1, autoscalerToV1, horizontalPodAutoscalerV1 } from './autoscaling.ts';
export { eventsV1, fromCoreEvent, toCoreEvent } from './events.ts';
export { resourceClaimTemplateV1beta1, resourceClaimV1beta1, resourceSliceV1beta1 } from './resource.ts';
export { identity, sameShape } from './same-shape.ts';
