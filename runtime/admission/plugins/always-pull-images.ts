import type { Attributes } from '../../machinery/admission.ts';
import { aggregate } from '../../machinery/errors/aggregate.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { fieldErrorMessage, notSupported } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { newForbidden } from '../errors.ts';
import type { PluginFactory } from '../plugin.ts';
import { onCore, type Pod, type PodSpec, podOf, podSpecOf } from '../resources.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/**
 * Sets imagePullPolicy Always in all pods, so that each pod needs its own access to an image.
 * (plugin/pkg/admission/alwayspullimages)
 */
export const newAlwaysPullImages: PluginFactory = () => ({
  handles: onCore('pods', 'CREATE', 'UPDATE'),
  admit(attributes) {
    if (!hasNewImage(attributes)) return;
    const spec = podSpecOf(attributes);
    for (const list of containerLists) for (const one of spec[list] ?? []) one.imagePullPolicy = 'Always';
    for (const { image } of spec.volumes ?? []) if (image) image.pullPolicy = 'Always';
  },
  validate(attributes) {
    if (!hasNewImage(attributes)) return;
    const refused = otherPolicies(podSpecOf(attributes));
    if (refused.length === 0) return;
    // an aggregate of errors has no code
    throw plainError(aggregate(refused.map((message) => newForbidden(attributes, message).message)));
  },
});

/** Returns an error for each image whose policy is not Always. */
function otherPolicies(spec: PodSpec): string[] {
  const root = FieldPath.of('spec');
  const policies = [
    ...containerLists.flatMap((list) =>
      (spec[list] ?? []).map(({ imagePullPolicy }, index) => ({
        path: root.child(list).index(index).child('imagePullPolicy'),
        policy: imagePullPolicy,
      })),
    ),
    ...(spec.volumes ?? []).flatMap(({ image }, index) =>
      image ? [{ path: root.child('volumes').index(index).child('image', 'pullPolicy'), policy: image.pullPolicy }] : [],
    ),
  ];
  return policies
    .filter(({ policy }) => policy !== 'Always')
    .map(({ path, policy }) => fieldErrorMessage(notSupported(path, policy ?? '', ['Always'])));
}

/** (isUpdateWithNoNewImages) */
function hasNewImage(attributes: Attributes): boolean {
  if (attributes.operation !== 'UPDATE') return true;
  const old = new Set(imagesOf(attributes.oldObject as Pod));
  return imagesOf(podOf(attributes)).some((image) => !old.has(image));
}

const imagesOf = ({ spec }: Pod): string[] => containerLists.flatMap((list) => (spec?.[list] ?? []).map(({ image = '' }) => image));
