import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '../../authorization/authorizer.ts';
import type { AuthorizationDecision, AuthorizationQuery, ExpressionAuthorizer } from '../../cel/library/authorizer.ts';
import { serviceAccountGroups, serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';

/** Thrown in the middle of an evaluation that needs a decision which is not there yet. */
class PendingDecision {
  readonly isPendingDecision = true;
  readonly arrival: Promise<void>;

  constructor(arrival: Promise<void>) {
    this.arrival = arrival;
  }
}

const isPending = (error: unknown): error is PendingDecision =>
  (error as PendingDecision | undefined)?.isPendingDecision === true;

/**
 * Answers the authorization checks of expressions about one write, each of them once. If the authorizer waits, the
 * evaluation starts over when the decision is there. (apiserver pkg/admission/plugin/authorizer NewCachingAuthorizer)
 */
export class Decisions implements ExpressionAuthorizer {
  readonly #user: UserInfo;
  readonly #authorizer: Authorizer;
  readonly #made = new Map<string, AuthorizationDecision>();

  constructor(user: UserInfo, authorizer: Authorizer) {
    this.#user = user;
    this.#authorizer = authorizer;
  }

  authorize(query: AuthorizationQuery): AuthorizationDecision {
    const key = JSON.stringify(query);
    const made = this.#made.get(key);
    if (made !== undefined) return made;
    const answer = this.#authorizer.authorize(attributesOf(query, this.#user));
    if (!(answer instanceof Promise)) return this.#make(key, answer);
    const failed = (error: unknown): AuthorizerDecision => ({
      decision: 'no-opinion',
      reason: '',
      evaluationError: error instanceof Error ? error.message : String(error),
    });
    throw new PendingDecision(answer.catch(failed).then((decision) => void this.#make(key, decision)));
  }

  /** Evaluates, again if decisions have to be waited for. @param evaluate changes nothing */
  settle<T>(evaluate: () => T): T | Promise<T> {
    try {
      return evaluate();
    } catch (error) {
      if (!isPending(error)) throw error;
      return error.arrival.then(() => this.settle(evaluate));
    }
  }

  #make(key: string, { decision, reason, evaluationError }: AuthorizerDecision): AuthorizationDecision {
    const made = { allowed: decision === 'allow', reason, error: evaluationError };
    this.#made.set(key, made);
    return made;
  }
}

function attributesOf(query: AuthorizationQuery, requester: UserInfo): AuthorizerAttributes {
  const { verb, path, serviceAccount, fieldSelector, labelSelector } = query;
  const user = serviceAccount === undefined ? requester : serviceAccountUser(serviceAccount);
  const { group = '', resource = '', subresource = '', namespace = '', name = '' } = query;
  const isResourceRequest = path === undefined;
  return {
    ...{ user, verb, isResourceRequest, path: path ?? '', version: isResourceRequest ? '*' : '' },
    ...{ group, resource, subresource, namespace, name, fieldSelector, labelSelector },
  };
}

const serviceAccountUser = ({ namespace, name }: { namespace: string; name: string }): UserInfo => ({
  name: serviceAccountUserName(namespace, name),
  uid: '',
  groups: serviceAccountGroups(namespace),
  extra: {},
});
