import { equalJson } from '../../../machinery/json/equality.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { appArmorAnnotation, appArmorWarning } from './warnings.ts';

/**
 * Takes AppArmor profiles that a new pod has in annotations over into the fields of its containers, and says so; unless
 * the pod as a whole has the same profile. (pkg/registry/core/pod/strategy.go applyAppArmorVersionSkew)
 */
export function adoptAppArmorAnnotations(pod: KubeObject, warn: (text: string) => void): void {
  const { annotations } = pod.metadata;
  const { spec } = pod;
  if (annotations === undefined || spec === undefined || spec.os?.name === 'windows') return;
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmorAnnotation))) return;
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of (spec[list] ?? []) as Part[]) {
      const key = `${appArmorAnnotation}${container.name}`;
      if (!Object.hasOwn(annotations, key) || container.securityContext?.appArmorProfile) continue;
      const profile = profileOf(annotations[key]);
      if (profile !== undefined && equalJson(profile, spec.securityContext?.appArmorProfile)) continue;
      if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
      warn(appArmorWarning('', key));
    }
  }
}

const localhost = 'localhost/';
const longestPath = 4095;

/** Undefined: the annotation says nothing that a field may say. */
function profileOf(annotation: string): Part {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhost)) return undefined;
  const localhostProfile = annotation.slice(localhost.length);
  const isGood = localhostProfile !== '' && localhostProfile.trim() === localhostProfile;
  if (!isGood || Buffer.byteLength(localhostProfile) > longestPath) return undefined;
  return { type: 'Localhost', localhostProfile };
}
