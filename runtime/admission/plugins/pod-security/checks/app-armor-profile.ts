import { quote } from '../../../../machinery/go/quote.ts';
import { type Check, type CheckPod, containersOf, joinQuote, nameOf, pluralize, settersText, sorted } from './check.ts';

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const isBadType = (profile: { readonly type?: string } | undefined): profile is { type?: string } =>
  profile !== undefined && profile.type !== 'RuntimeDefault' && profile.type !== 'Localhost';

const isAllowedAnnotation = (value: string): boolean => value === '' || value === 'runtime/default' || value.startsWith('localhost/');

const checkPod: CheckPod = (pod) => {
  const podProfile = pod.spec.securityContext?.appArmorProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBadType(securityContext?.appArmorProfile));
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(annotationPrefix) && !isAllowedAnnotation(value))
    .map(([key, value]) => `${key}=${quote(value)}`);
  const types = bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? '');
  if (isBadType(podProfile)) types.push(podProfile.type ?? '');
  const setters = [settersText(isBadType(podProfile), bad.map(nameOf))].filter((text) => text !== '');
  if (annotations.length > 0) setters.push(pluralize('annotation', 'annotations', annotations.length));
  if (setters.length === 0) return undefined;
  const values = [...sorted(types), ...sorted(annotations)];
  return {
    reason: pluralize('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${joinQuote(values)}`,
  };
};

/** Allows the default profile and profiles of the node. */
export const appArmorProfile: Check = {
  id: 'appArmorProfile',
  level: 'baseline',
  versions: [{ minimumVersion: 0, checkPod }],
};
