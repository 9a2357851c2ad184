import { privilegedGroup } from '../machinery/user-info.ts';
import type { Authorizer, AuthorizerDecision } from './authorizer.ts';

/** Authorizers that need no configuration. (apiserver pkg/authorization/authorizerfactory/builtin.go) */

const forbidden: AuthorizerDecision = { decision: 'no-opinion', reason: 'Everything is forbidden.' };
const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };
const noOpinion: AuthorizerDecision = { decision: 'no-opinion', reason: '' };

/** Denies all requests. (--authorization-mode=AlwaysDeny) */
export const alwaysDeny: Authorizer = {
  authorize: () => forbidden,
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};

/** Allows all requests of system:masters, before other authorizers. It lists no rules. (NewPrivilegedGroups) */
export const privilegedGroups: Authorizer = {
  authorize: ({ user }) => (user.groups.includes(privilegedGroup) ? allowed : noOpinion),
};
