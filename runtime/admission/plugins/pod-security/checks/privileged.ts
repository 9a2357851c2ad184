import { type Check, containersOf, containersText, nameOf } from './check.ts';

/** Forbids privileged containers. */
export const privileged: Check = {
  id: 'privileged',
  level: 'baseline',
  versions: [
    {
      minimumVersion: 0,
      checkPod(pod) {
        const bad = containersOf(pod).filter(({ securityContext }) => securityContext?.privileged);
        if (bad.length === 0) return undefined;
        const detail = `${containersText(bad.map(nameOf))} must not set securityContext.privileged=true`;
        return { reason: 'privileged', detail };
      },
    },
  ],
};
