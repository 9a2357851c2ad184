import type { UserInfo } from '../machinery/user-info.ts';

/** What a user wants to do. (apiserver pkg/authorization/authorizer Attributes) */
export interface AuthorizerAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** For non-resource requests. */
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
  /** `no-opinion` lets the next authorizer decide; from the last one it denies. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** Shown to the client after a refusal; may be "". */
  readonly reason: string;
  /** An error during authorization. The request may be allowed anyway. */
  readonly evaluationError?: string;
}

/** What a user may do in a namespace. (authorization/v1 SubjectRulesReviewStatus) */
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
  /** The rules are incomplete, for example because an authorizer cannot list them. */
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface Authorizer {
  authorize(attributes: AuthorizerAttributes): AuthorizerDecision | Promise<AuthorizerDecision>;
  /** Absent if the authorizer cannot list its rules. (authorizer.RuleResolver) */
  readonly rulesFor?: ((user: UserInfo, namespace: string) => UserRules | Promise<UserRules>) | undefined;
}

const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };

/** Allows every user everything. (--authorization-mode=AlwaysAllow) */
export const alwaysAllow: Authorizer = {
  authorize: () => allowed,
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};
