import type { AppArmorProfile, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { equalJson } from '../../../machinery/json/equality.ts';
import { appArmorAnnotation } from './profile-annotations.ts';
import { appArmorWarning } from './warnings.ts';

/**
 * Sets the fields of containers whose AppArmor profiles a new pod has in annotations, and warns of the annotations,
 * unless the pod as a whole has the same profile. (pkg/registry/core/pod/strategy.go, applyAppArmorVersionSkew)
 */
export function applyAppArmorVersionSkew(pod: Pod, warn: (text: string) => void): void {
  const { annotations } = pod.metadata;
  const { spec } = pod;
  if (annotations === undefined || spec === undefined || spec.os?.name === 'windows') return;
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorAnnotation))) return;
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const container of spec[list] ?? []) {
      const key = `${appArmorAnnotation}${container.name}`;
      if (!Object.hasOwn(annotations, key) || container.securityContext?.appArmorProfile) continue;
      const profile = profileOf(annotations[key]);
      if (profile !== undefined && equalJson(profile, spec.securityContext?.appArmorProfile)) continue;
      if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
      warn(appArmorWarning('', key));
    }
  }
}

const localhostPrefix = 'localhost/';
const maxLocalhostProfileBytes = 4095;

/** Returns undefined for a value that the field cannot express. (getAppArmorFieldFromAnnotation) */
function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhostPrefix)) return undefined;
  const localhostProfile = annotation.slice(localhostPrefix.length);
  const isValid = localhostProfile !== '' && localhostProfile.trim() === localhostProfile;
  if (!isValid || Buffer.byteLength(localhostProfile) > maxLocalhostProfileBytes) return undefined;
  return { type: 'Localhost', localhostProfile };
}
