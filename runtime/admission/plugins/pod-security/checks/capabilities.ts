import { type Check, type CheckPod, containersOf, containersText, joinQuote, nameOf, sorted, unlessWindows } from './check.ts';

const baselineId = 'capabilities_baseline';

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** Describes the capabilities that containers add beyond the allowed ones; undefined if none. */
function addedText(pod: Parameters<CheckPod>[0], isAllowed: (capability: string) => boolean): string | undefined {
  const added: string[] = [];
  const bad = containersOf(pod).filter(({ securityContext }) => {
    const forbidden = (securityContext?.capabilities?.add ?? []).filter((capability) => !isAllowed(capability));
    for (const capability of forbidden) added.push(capability);
    return forbidden.length > 0;
  });
  if (bad.length === 0) return undefined;
  return `${containersText(bad.map(nameOf))} must not include ${joinQuote(sorted(added))} in securityContext.capabilities.add`;
}

const checkBaseline: CheckPod = (pod) => {
  const detail = addedText(pod, (capability) => defaultCapabilities.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

const checkRestricted: CheckPod = (pod) => {
  const missing = containersOf(pod).filter(({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const details = [addedText(pod, (capability) => capability === 'NET_BIND_SERVICE') ?? []].flat();
  if (missing.length > 0) {
    details.unshift(`${containersText(missing.map(nameOf))} must set securityContext.capabilities.drop=["ALL"]`);
  }
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

/** Forbids capabilities beyond the default ones. */
export const capabilitiesBaseline: Check = {
  id: baselineId,
  level: 'baseline',
  versions: [{ minimumVersion: 0, checkPod: checkBaseline }],
};

/** Requires that all capabilities are dropped. Containers may add only NET_BIND_SERVICE. */
export const capabilitiesRestricted: Check = {
  id: 'capabilities_restricted',
  level: 'restricted',
  versions: [
    { minimumVersion: 22, checkPod: checkRestricted, overrides: [baselineId] },
    { minimumVersion: 25, checkPod: unlessWindows(checkRestricted), overrides: [baselineId] },
  ],
};
