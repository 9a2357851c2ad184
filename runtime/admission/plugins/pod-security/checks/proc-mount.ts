import { type Check, type CheckPod, containersOf, containersText, joinQuote, nameOf, sorted, unlessInUserNamespace } from './check.ts';

const checkPod: CheckPod = (pod) => {
  const typeOf = ({ securityContext }: ReturnType<typeof containersOf>[number]): string => securityContext?.procMount ?? 'Default';
  const bad = containersOf(pod).filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = joinQuote(sorted(bad.map(typeOf)));
  return {
    reason: 'procMount',
    detail: `${containersText(bad.map(nameOf))} must not set securityContext.procMount to ${types}`,
  };
};

/** Forbids an unmasked /proc. Since 1.35, baseline allows it in pods with their own user namespace. */
export const procMountBaseline: Check = {
  id: 'procMount',
  level: 'baseline',
  versions: [
    { minimumVersion: 0, checkPod },
    { minimumVersion: 35, checkPod: unlessInUserNamespace(checkPod) },
  ],
};

export const procMountRestricted: Check = {
  id: 'procMount_restricted',
  level: 'restricted',
  versions: [{ minimumVersion: 35, checkPod, overrides: ['procMount'] }],
};
