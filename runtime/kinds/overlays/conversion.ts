/** Conversions that overlays name, and two that are independent of kinds. */
export { horizontalPodAutoscalerV1 } from '../autoscaling/horizontal-pod-autoscaler/conversion.ts';
export { identity, sameShape } from '../conversion.ts';
export { eventsV1 } from '../events.k8s.io/conversion.ts';
export {
  resourceClaimTemplateV1alpha3,
  resourceClaimTemplateV1beta1,
  resourceClaimV1alpha3,
  resourceClaimV1beta1,
  resourceSliceV1alpha3,
  resourceSliceV1beta1,
} from '../resource.k8s.io/conversion.ts';
