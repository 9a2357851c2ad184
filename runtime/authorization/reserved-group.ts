import { privilegedGroup } from '../machinery/user-info.ts';
import type { Authorizer, AuthorizerDecision } from './authorizer.ts';

const denied: AuthorizerDecision = { decision: 'deny', reason: '' };

/** Leaves an API group to system:masters, whatever the authorizer allows others. It decides about everything else. */
export const reservedGroup = (group: string, authorizer: Authorizer): Authorizer => ({
  authorize(attributes) {
    const isReserved = attributes.isResourceRequest && attributes.group === group;
    if (isReserved && !attributes.user.groups.includes(privilegedGroup)) return denied;
    return authorizer.authorize(attributes);
  },
  rulesFor: authorizer.rulesFor && ((user, namespace) => authorizer.rulesFor!(user, namespace)),
});
