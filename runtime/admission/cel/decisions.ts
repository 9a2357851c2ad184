import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '../../authorization/authorizer.ts';
import type { AuthorizationDecision, AuthorizationQuery, ExpressionAuthorizer } from '../../cel/library/authorizer.ts';
import { serviceAccountGroups, serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';
import { Arrivals } from '../retry-when-arrived.ts';

/**
 * Runs the authorization checks of expressions about one write, each once. If the authorizer waits, the evaluation
 * starts over when the decision has arrived: see `retryWhenArrived`. (apiserver pkg/admission/plugin/authorizer
 * NewCachingAuthorizer)
 */
export class Decisions implements ExpressionAuthorizer {
  readonly #user: UserInfo;
  readonly #authorizer: Authorizer;
  readonly #made = new Arrivals<string, AuthorizationDecision>();

  constructor(user: UserInfo, authorizer: Authorizer) {
    this.#user = user;
    this.#authorizer = authorizer;
  }

  authorize(query: AuthorizationQuery): AuthorizationDecision {
    return this.#made.get(JSON.stringify(query), () => {
      const answer = this.#authorizer.authorize(attributesOf(query, this.#user));
      return answer instanceof Promise ? answer.then(expressionDecision, failed) : expressionDecision(answer);
    });
  }
}

const expressionDecision = ({ decision, reason, evaluationError }: AuthorizerDecision): AuthorizationDecision => ({
  allowed: decision === 'allow',
  reason,
  error: evaluationError,
});

const failed = (error: unknown): AuthorizationDecision => ({
  allowed: false,
  reason: '',
  error: error instanceof Error ? error.message : String(error),
});

function attributesOf(query: AuthorizationQuery, requester: UserInfo): AuthorizerAttributes {
  const { verb, path, serviceAccount, fieldSelector, labelSelector } = query;
  const user = serviceAccount === undefined ? requester : serviceAccountUser(serviceAccount);
  const { group = '', resource = '', subresource = '', namespace = '', name = '' } = query;
  const isResourceRequest = path === undefined;
  return {
    user,
    verb,
    isResourceRequest,
    path: path ?? '',
    version: isResourceRequest ? '*' : '',
    group,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector,
    labelSelector,
  };
}

const serviceAccountUser = ({ namespace, name }: { namespace: string; name: string }): UserInfo => ({
  name: serviceAccountUserName(namespace, name),
  uid: '',
  groups: serviceAccountGroups(namespace),
  extra: {},
});
