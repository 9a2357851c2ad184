import type * as v1 from '../../../../generated/v1.35/autoscaling/v1/types.ts';
import type * as v2 from '../../../../generated/v1.35/autoscaling/v2/types.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';
import { dropRoundTripAnnotations, hasRoundTripAnnotations } from './annotations.ts';
import { autoscalerFromV1, type HorizontalPodAutoscaler } from './conversion.ts';
import { validateHorizontalPodAutoscalerSpec, validateHorizontalPodAutoscalerStatus, validationOptions } from './validation.ts';

/**
 * Drops the annotations from objects of autoscaling/v2, as upstream's conversion does.
 * (pkg/apis/autoscaling/v2/conversion.go)
 */
function withoutRoundTripAnnotations({ apiVersion, metadata }: KubeObject): void {
  if (apiVersion !== 'autoscaling/v2' || !hasRoundTripAnnotations(metadata.annotations)) return;
  metadata.annotations = dropRoundTripAnnotations(metadata.annotations);
  if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}

type AnyVersion = v1.HorizontalPodAutoscaler | v2.HorizontalPodAutoscaler;

const isV1 = (autoscaler: AnyVersion): autoscaler is v1.HorizontalPodAutoscaler => autoscaler.apiVersion === 'autoscaling/v1';

/** Objects of version 1 are validated as version 2, so errors name version 2's fields. */
const atVersion2 = (autoscaler: AnyVersion): HorizontalPodAutoscaler => (isV1(autoscaler) ? autoscalerFromV1(autoscaler) : autoscaler);

/** (pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go) */
export const horizontalPodAutoscalerStrategy: RESTStrategy = {
  prepareForCreate: withoutRoundTripAnnotations,
  prepareForUpdate: withoutRoundTripAnnotations,
  validateCreate(autoscaler: AnyVersion, errors) {
    const { spec = {} } = atVersion2(autoscaler);
    validateHorizontalPodAutoscalerSpec(spec, Field.at(FieldPath.of('spec'), errors), validationOptions(spec, undefined));
  },
  validateUpdate(autoscaler: AnyVersion, old: AnyVersion, errors, { part }) {
    if (part === 'status') {
      validateHorizontalPodAutoscalerStatus(autoscaler.status ?? {}, Field.at(FieldPath.of('status'), errors));
      return;
    }
    const { spec = {} } = atVersion2(autoscaler);
    const options = validationOptions(spec, atVersion2(old).spec ?? {});
    validateHorizontalPodAutoscalerSpec(spec, Field.at(FieldPath.of('spec'), errors), options);
  },
};
