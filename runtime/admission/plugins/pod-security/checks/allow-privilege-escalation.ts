import { type Check, type CheckPod, containersOf, containersText, nameOf, unlessWindows } from './check.ts';

const checkPod: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(bad.map(nameOf))} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Requires that processes cannot gain privileges. */
export const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  versions: [
    { minimumVersion: 8, checkPod },
    { minimumVersion: 25, checkPod: unlessWindows(checkPod) },
  ],
};
