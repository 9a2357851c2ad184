import { privilegedGroup } from '../machinery/user-info.ts';
import type { Authorizer, AuthorizerDecision } from './authorizer.ts';

const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };
const denied: AuthorizerDecision = { decision: 'deny', reason: '' };

/** Reserves an API group for system:masters. The authorizer decides about all other groups. */
export const reservedGroup = (group: string, authorizer: Authorizer): Authorizer => ({
  authorize(attributes) {
    const isReserved = attributes.isResourceRequest && attributes.group === group;
    if (!isReserved) return authorizer.authorize(attributes);
    return attributes.user.groups.includes(privilegedGroup) ? allowed : denied;
  },
  rulesFor: authorizer.rulesFor?.bind(authorizer),
});
