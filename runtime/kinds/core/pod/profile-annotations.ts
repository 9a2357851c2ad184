import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import type { Labels } from '../../validation/labels.ts';
import { validateLocalDescendingPath } from '../volume-sources.ts';
import { containerLists, visitContainersWithPath } from './container-visitor.ts';

/** Annotations with seccomp and AppArmor profiles. They are older than the fields. (pkg/apis/core/validation) */

type PodSpec = Unvalidated<core.PodSpec>;
type Container = Unvalidated<core.Container | core.EphemeralContainer>;

export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
/** The prefix of an annotation. The container's name follows. */
export const seccompContainerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';
/** The prefix of an annotation. The container's name follows. */
export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

const localhost = 'localhost/';
const isRuntimeDefault = (profile: string): boolean => profile === 'runtime/default' || profile === 'docker/default';

/** (ValidateSeccompPodAnnotations, ValidateAppArmorPodAnnotations) */
export function validateProfileAnnotations(annotations: Labels, spec: PodSpec, field: Field): void {
  const podProfile = annotations[seccompPodAnnotation];
  if (podProfile !== undefined) validateSeccompProfile(podProfile, field.child(seccompPodAnnotation));
  for (const [key, profile] of Object.entries(annotations)) {
    if (key.startsWith(seccompContainerAnnotation)) validateSeccompProfile(profile, field.child(key));
  }
  for (const [key, profile] of Object.entries(annotations)) {
    if (!key.startsWith(appArmorAnnotation)) continue;
    const name = key.slice(appArmorAnnotation.length);
    if (!hasContainer(spec, name)) field.key(key).invalid(name, 'container not found');
    if (profile === '' || profile === 'runtime/default' || profile === 'unconfined') continue;
    if (!profile.startsWith(localhost)) {
      field.key(key).invalid(profile, `invalid AppArmor profile name: ${quote(profile)}`);
    }
  }
}

/** (ValidateSeccompProfile) */
function validateSeccompProfile(profile: string, field: Field): void {
  if (isRuntimeDefault(profile) || profile === 'unconfined') return;
  if (profile.startsWith(localhost)) validateLocalDescendingPath(profile.slice(localhost.length), field);
  else field.invalid(profile, 'must be a valid seccomp profile');
}

const hasContainer = (spec: PodSpec, wanted: string): boolean =>
  containerLists.some((list) => spec[list]?.some(({ name = '' }: Container) => name === wanted));

/**
 * A profile in both an annotation and a field of a container must be the same. (validateSeccompAnnotationsAndFields,
 * validateAppArmorAnnotationsAndFieldsMatchOnCreate)
 *
 * @param field of the spec
 */
export function validateAnnotationsMatchFields({ annotations }: Pick<ObjectMeta, 'annotations'>, spec: PodSpec, field: Field): void {
  if (!annotations) return;
  const { seccompProfile, appArmorProfile } = spec.securityContext ?? {};
  if (seccompProfile) {
    const at = field.child('securityContext', 'seccompProfile');
    matchProfile(annotations[seccompPodAnnotation], { kind: 'seccomp', ...seccompProfile }, at);
  }
  visitContainersWithPath(spec, field, ({ name, securityContext }, at) => {
    const own = securityContext?.seccompProfile;
    if (!own) return;
    const annotation = annotations[`${seccompContainerAnnotation}${name}`];
    matchProfile(annotation, { kind: 'seccomp', ...own }, at.child('securityContext', 'seccompProfile'));
  });
  if (spec.os?.name === 'windows') return;
  visitContainersWithPath(spec, field, ({ name, securityContext }, at) => {
    const own = securityContext?.appArmorProfile ?? appArmorProfile;
    if (!own) return;
    const annotation = annotations[`${appArmorAnnotation}${name}`];
    matchProfile(annotation, { kind: 'apparmor', ...own }, at.child('securityContext', 'appArmorProfile'));
  });
}

interface Profile {
  readonly kind: 'seccomp' | 'apparmor';
  readonly type?: string;
  readonly localhostProfile?: string;
}

/** (validateSeccompAnnotationsAndFieldsMatch) */
function matchProfile(annotation: string | undefined, profile: Profile, field: Field): void {
  if (annotation === undefined) return;
  const { kind, type, localhostProfile } = profile;
  if (isOfType(annotation, kind, type)) {
    if (type !== 'Localhost' || annotation.slice(localhost.length) === localhostProfile) return;
    field.child('localhostProfile').forbidden(`${kind} profile in annotation and field must match`);
  } else field.child('type').forbidden(`${kind} type in annotation and field must match`);
}

function isOfType(annotation: string, kind: Profile['kind'], type: string | undefined): boolean {
  switch (type) {
    case 'Unconfined':
      return annotation === 'unconfined';
    case 'RuntimeDefault':
      return kind === 'seccomp' ? isRuntimeDefault(annotation) : annotation === 'runtime/default';
    case 'Localhost':
      return annotation.startsWith(localhost);
    default:
      return true;
  }
}

/** Returns undefined for a value that the field cannot express. (pkg/api/pod/util.go, ApparmorFieldForAnnotation) */
export function appArmorFieldForAnnotation(annotation: string): core.AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhost) || annotation === localhost) return undefined;
  return { type: 'Localhost', localhostProfile: annotation.slice(localhost.length) };
}
