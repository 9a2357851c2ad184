import type { UserInfo } from '../machinery/user-info.ts';

/** What a user wants to do. (apiserver pkg/authorization/authorizer Attributes) */
export interface AuthorizerAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** Of non-resource requests. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** Raw selectors of the request; "" where there are none. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizerDecision {
  /** `no-opinion` is what `deny` is once every authorizer has been asked. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** Shown to the client behind the refusal; may be "". */
  readonly reason: string;
  /** What went wrong on the way; a request may be allowed all the same. */
  readonly evaluationError?: string;
}

/** What a user may do in a namespace, as SelfSubjectRulesReview tells it. (authorization/v1 SubjectRulesReviewStatus) */
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
  /** The list is not all there is, as when an authorizer cannot tell. */
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface Authorizer {
  authorize(attributes: AuthorizerAttributes): AuthorizerDecision | Promise<AuthorizerDecision>;
  /** Absent where the authorizer decides case by case and cannot list. */
  rulesFor?(user: UserInfo, namespace: string): UserRules | Promise<UserRules>;
}

const allowed: AuthorizerDecision = { decision: 'allow', reason: '' };

/** Everybody may do everything. (--authorization-mode=AlwaysAllow) */
export const alwaysAllow: Authorizer = {
  authorize: () => allowed,
  rulesFor: () => ({
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  }),
};
