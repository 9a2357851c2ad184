import type { UserInfo } from '../machinery/user-info.ts';

/** A request for a decision: the user and the action. (apiserver pkg/authorization/authorizer Attributes) */
export interface AuthorizerAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** The path of a non-resource request. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The selectors of the request, unparsed; "" for none. */
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
}

export interface AuthorizerDecision {
  /** The decision. After `no-opinion` the next authorizer decides; the last one's denies. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** The reason, shown to the client after a refusal; may be "". */
  readonly reason: string;
  /** An error during authorization. The decision may still be `allow`. */
  readonly evaluationError?: string;
}

/** The rules for a user in a namespace. (authorization/v1 SubjectRulesReviewStatus) */
export interface UserRules {
  readonly resourceRules: readonly {
    readonly verbs: readonly string[];
    readonly apiGroups?: readonly string[];
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  readonly nonResourceRules: readonly {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[];
  }[];
  /** Whether rules are missing, for example because an authorizer cannot list them. */
  readonly incomplete: boolean;
  readonly evaluationError?: string;
  /** The errors in `evaluationError`, if it is an aggregate, so that another aggregate has each of them. */
  readonly evaluationErrors?: readonly string[];
}

export interface Authorizer {
  authorize(attributes: AuthorizerAttributes): AuthorizerDecision | Promise<AuthorizerDecision>;
  /** Returns the rules for a user. Absent if the authorizer cannot list them. (authorizer.RuleResolver) */
  readonly rulesFor?: ((user: UserInfo, namespace: string) => UserRules | Promise<UserRules>) | undefined;
}

const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };

/** Allows all requests. (--authorization-mode=AlwaysAllow) */
export const alwaysAllow: Authorizer = {
  authorize: () => allowed,
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};
