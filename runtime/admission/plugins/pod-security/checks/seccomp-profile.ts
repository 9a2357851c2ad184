import { quote } from '../../../../machinery/go/quote.ts';
import { memberOf } from '../../../../machinery/json/values.ts';
import {
  type Check,
  type CheckedPod,
  type CheckPod,
  containersOf,
  containersText,
  type Forbidden,
  joinQuote,
  nameOf,
  pluralize,
  settersText,
  sorted,
  unlessWindows,
} from './check.ts';

const baselineId = 'seccompProfile_baseline';
const reason = 'seccompProfile';
const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';

const isAllowedAnnotation = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

/** Checks the profiles in annotations, which older versions used. */
const checkAnnotations: CheckPod = (pod) => {
  const keys = [podAnnotation, ...containersOf(pod).map((container) => containerAnnotation + nameOf(container))];
  const forbidden = sorted(
    keys.flatMap((key) => {
      const value = memberOf(pod.metadata.annotations ?? {}, key);
      return value === undefined || isAllowedAnnotation(value) ? [] : [`${key}=${quote(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  const annotations = pluralize('annotation', 'annotations', forbidden.length);
  return { reason, detail: `forbidden ${annotations} ${forbidden.join(', ')}` };
};

type Profile = { readonly type?: string };

const isBad = (profile: Profile | undefined): profile is Profile =>
  profile !== undefined && profile.type !== 'RuntimeDefault' && profile.type !== 'Localhost';

function explicitlyBad(pod: CheckedPod): Forbidden | undefined {
  const ofPod = pod.spec.securityContext?.seccompProfile;
  const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seccompProfile));
  const setters = settersText(isBad(ofPod), bad.map(nameOf));
  if (setters === '') return undefined;
  const profiles = [ofPod, ...bad.map(({ securityContext }) => securityContext?.seccompProfile)].filter(isBad);
  const types = joinQuote(sorted(profiles.map(({ type = '' }) => type)));
  return { reason, detail: `${setters} must not set securityContext.seccompProfile.type to ${types}` };
}

const checkRestricted: CheckPod = (pod) => {
  const explicit = explicitlyBad(pod);
  if (explicit !== undefined) return explicit;
  if (pod.spec.securityContext?.seccompProfile !== undefined) return undefined;
  const implicit = containersOf(pod).filter(({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (implicit.length === 0) return undefined;
  const detail = `pod or ${containersText(implicit.map(nameOf))} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason, detail };
};

/** Allows the default profile and profiles of the node. */
export const seccompProfileBaseline: Check = {
  id: baselineId,
  level: 'baseline',
  versions: [
    { minimumVersion: 0, checkPod: checkAnnotations },
    { minimumVersion: 19, checkPod: explicitlyBad },
  ],
};

/** Requires an allowed profile for all containers. */
export const seccompProfileRestricted: Check = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  versions: [
    { minimumVersion: 19, checkPod: checkRestricted, overrides: [baselineId] },
    { minimumVersion: 25, checkPod: unlessWindows(checkRestricted), overrides: [baselineId] },
  ],
};
