import type { AppArmorProfile, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { appArmorAnnotation, appArmorFieldForAnnotation } from './profile-annotations.ts';
import { validateAppArmorProfileField } from './profiles.ts';
import { appArmorWarning } from './warnings.ts';

/**
 * Copies the AppArmor profiles of a new pod's annotations to the fields of its containers, and warns about the
 * annotations. Skips a container whose profile equals the pod's, or whose field is set.
 * (pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew)
 */
export function applyAppArmorVersionSkew(pod: Pod, warn: (text: string) => void): void {
  const { annotations } = pod.metadata;
  const { spec } = pod;
  if (annotations === undefined || spec === undefined || spec.os?.name === 'windows') return;
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorAnnotation))) return;
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const container of spec[list] ?? []) {
      const key = `${appArmorAnnotation}${container.name}`;
      const annotation = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
      if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
      const profile = validProfile(annotation);
      if (profile !== undefined && equalJson(profile, spec.securityContext?.appArmorProfile)) continue;
      if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
      warn(appArmorWarning('', key));
    }
  }
}

/** Returns undefined for an annotation that is not a profile, or is invalid as a field. */
function validProfile(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorFieldForAnnotation(annotation);
  const field = Field.at(FieldPath.root, []);
  validateAppArmorProfileField(profile, field);
  return field.errors.length === 0 ? profile : undefined;
}
