import type { UserInfo } from '../../machinery/user-info.ts';

/** The prefix of the user names of kubelets. */
const nodeUserPrefix = 'system:node:';
/** The group of kubelets. */
export const nodesGroup = 'system:nodes';

/**
 * Returns the node name of a kubelet's user, "" for a kubelet whose node is unknown, and undefined for all other users.
 * (kubernetes pkg/auth/nodeidentifier)
 */
export function nodeIdentity({ name, groups }: UserInfo): string | undefined {
  if (!name.startsWith(nodeUserPrefix) || !groups.includes(nodesGroup)) return undefined;
  return name.slice(nodeUserPrefix.length);
}
