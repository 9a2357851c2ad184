import { type Check, type CheckPod, containersOf, containersText, nameOf, settersText, unlessInUserNamespace } from './check.ts';

const checkNonRoot: CheckPod = (pod) => {
  const reason = 'runAsNonRoot != true';
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const containers = containersOf(pod);
  const explicit = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false);
  const setters = settersText(ofPod === false, explicit.map(nameOf));
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const implicit = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (implicit.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${containersText(implicit.map(nameOf))} must set securityContext.runAsNonRoot=true`,
  };
};

const checkUser: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.runAsUser === 0);
  const setters = settersText(pod.spec.securityContext?.runAsUser === 0, bad.map(nameOf));
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
};

/** Requires that containers do not run as root. */
export const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  level: 'restricted',
  versions: [
    { minimumVersion: 0, checkPod: checkNonRoot },
    { minimumVersion: 35, checkPod: unlessInUserNamespace(checkNonRoot) },
  ],
};

export const runAsUser: Check = {
  id: 'runAsUser',
  level: 'restricted',
  versions: [
    { minimumVersion: 23, checkPod: checkUser },
    { minimumVersion: 35, checkPod: unlessInUserNamespace(checkUser) },
  ],
};
