import { aggregate } from '../machinery/errors/aggregate.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision, UserRules } from './authorizer.ts';

/**
 * Calls each authorizer in turn, until one has an opinion. If none has, the decision has the reasons of all. (apiserver
 * pkg/authorization/union)
 */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  type Decided = AuthorizerDecision | Promise<AuthorizerDecision>;
  /** @param before earlier decisions without an opinion that have a reason or an error */
  const decideFrom = (start: number, attributes: AuthorizerAttributes, before?: readonly AuthorizerDecision[]): Decided => {
    let undecided = before;
    for (let at = start, authorizer = authorizers[at]; authorizer !== undefined; at++, authorizer = authorizers[at]) {
      const decided = authorizer.authorize(attributes);
      if (decided instanceof Promise) {
        const known = undecided;
        return decided.then((decision) =>
          decision.decision === 'no-opinion' ? decideFrom(at + 1, attributes, withWords(known, decision)) : decision,
        );
      }
      if (decided.decision !== 'no-opinion') return decided;
      undecided = withWords(undecided, decided);
    }
    return joined(undecided);
  };
  return {
    authorize: (attributes) => decideFrom(0, attributes),
    rulesFor: (user, namespace) => joinedRules(authorizers, user, namespace),
  };
}

const noOpinion: AuthorizerDecision = { decision: 'no-opinion', reason: '' };

function withWords(
  undecided: readonly AuthorizerDecision[] | undefined,
  decision: AuthorizerDecision,
): readonly AuthorizerDecision[] | undefined {
  if (decision.reason === '' && decision.evaluationError === undefined) return undecided;
  return undecided === undefined ? [decision] : [...undecided, decision];
}

function joined(undecided: readonly AuthorizerDecision[] | undefined): AuthorizerDecision {
  if (undecided === undefined) return noOpinion;
  const [only, ...others] = undecided;
  if (only && others.length === 0) return only;
  const reasons = undecided.map(({ reason }) => reason).filter((reason) => reason !== '');
  return { decision: 'no-opinion', reason: reasons.join('\n'), ...errorsOf(undecided) };
}

async function joinedRules(authorizers: readonly Authorizer[], user: UserInfo, namespace: string): Promise<UserRules> {
  const all = await Promise.all(authorizers.map((one) => one.rulesFor?.(user, namespace) ?? noRules));
  return {
    resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
    nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
    incomplete: all.some(({ incomplete }) => incomplete),
    ...errorsOf(all),
  };
}

const noRules: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false };

type Outcome = Pick<UserRules, 'evaluationError' | 'evaluationErrors'>;

function errorsOf(outcomes: readonly Outcome[]): { evaluationError?: string } {
  const errors = outcomes.flatMap(({ evaluationError, evaluationErrors }) => evaluationErrors ?? evaluationError ?? []);
  return errors.length === 0 ? {} : { evaluationError: aggregate(errors) };
}
