import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { mirrorAnnotation, validatePodSpecificAnnotationUpdates } from './annotations.ts';
import { ephemeralContainerDiff } from './internal-types.ts';
import { validatePodMetadataAndSpec } from './validation.ts';
import type { PodValidationOptions } from './validation-options.ts';

type Pod = Unvalidated<core.Pod>;

/** Existing ephemeral containers can be neither changed nor removed. (ValidatePodEphemeralContainersUpdate) */
export function validatePodEphemeralContainersUpdate(pod: Pod, old: Pod, field: Field, options: PodValidationOptions): void {
  if (old.metadata?.annotations?.[mirrorAnnotation] !== undefined) {
    Field.at(FieldPath.unnamed, field.errors).forbidden('static pods do not support ephemeral containers');
    return;
  }
  validatePodMetadataAndSpec(pod, field, options);
  validatePodSpecificAnnotationUpdates(pod, old, field.child('metadata', 'annotations'), options);
  const at = field.child('spec', 'ephemeralContainers');
  const byName = new Map((pod.spec?.ephemeralContainers ?? []).map((each) => [each.name, each]));
  for (const container of old.spec?.ephemeralContainers ?? []) {
    const now = byName.get(container.name);
    const subject = `existing ephemeral containers ${quote(container.name ?? '')} may not be`;
    if (now === undefined) at.forbidden(`${subject} removed\n`);
    else if (!equalJson(now, container)) {
      at.forbidden(`${subject} changed\n${ephemeralContainerDiff(container, now)}`);
    }
  }
}
