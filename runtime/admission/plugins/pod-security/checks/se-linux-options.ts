import type { SELinuxOptions } from '../../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../../machinery/unvalidated.ts';
import { type Check, type CheckPod, containersOf, joinQuote, nameOf, pluralize, settersText, sorted } from './check.ts';

type Options = Unvalidated<SELinuxOptions>;

const oldTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const checkWith =
  (types: readonly string[]): CheckPod =>
  (pod) => {
    const isBad = (options: Options | undefined): options is Options =>
      options !== undefined && (!types.includes(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
    const ofPod = pod.spec.securityContext?.seLinuxOptions;
    const bad = containersOf(pod).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const setters = settersText(isBad(ofPod), bad.map(nameOf));
    if (setters === '') return undefined;
    const all = [ofPod, ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isBad);
    const badTypes = sorted(all.map(({ type = '' }) => type).filter((type) => !types.includes(type)));
    const data = [
      ...(badTypes.length > 0 ? [`${pluralize('type', 'types', badTypes.length)} ${joinQuote(badTypes)}`] : []),
      ...(all.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(all.some(({ role }) => role) ? ['role may not be set'] : []),
    ];
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`;
    return { reason: 'seLinuxOptions', detail };
  };

/** Allows only SELinux types for containers. */
export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  level: 'baseline',
  versions: [
    { minimumVersion: 0, checkPod: checkWith(oldTypes) },
    { minimumVersion: 31, checkPod: checkWith([...oldTypes, 'container_engine_t']) },
  ],
};
