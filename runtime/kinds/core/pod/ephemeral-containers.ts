import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { type FieldError, forbidden } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';

export const mirrorAnnotation = 'kubernetes.io/config.mirror';

/** What was added to look into a pod stays as it is. (pkg/apis/core/validation ValidatePodEphemeralContainersUpdate) */
export function validatePodEphemeralContainersUpdate(pod: KubeObject, old: KubeObject, errors: FieldError[]): void {
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    errors.push(forbidden(FieldPath.root, 'static pods do not support ephemeral containers'));
    return;
  }
  const path = FieldPath.of('spec', 'ephemeralContainers');
  const containers: Part[] = pod.spec?.ephemeralContainers ?? [];
  // the first of a name
  const byName = new Map([...containers].reverse().map((container) => [container.name, container]));
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const now = byName.get(before.name);
    const head = `existing ephemeral containers ${JSON.stringify(before.name)} may not be`;
    if (now === undefined) errors.push(forbidden(path, `${head} removed\n`));
    else if (!equalJson(now, before)) errors.push(forbidden(path, `${head} changed\n`));
  }
}
