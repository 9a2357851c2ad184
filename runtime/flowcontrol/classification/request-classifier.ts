import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { catchAllName } from '../objects.ts';
import type { RequestInfo } from '../request-info.ts';
import type { FlowSchemaState } from './flow-schema-state.ts';
import type { MatchRequest } from './rule-matcher.ts';

/** The maximum number of users with cached candidates. */
const maxCachedUsers = 2048;

interface Candidate {
  readonly flowSchema: FlowSchemaState;
  readonly matches: MatchRequest;
}

/** The schemas that may match a user's requests. */
interface UserCandidates {
  readonly groups: readonly string[];
  readonly resource: readonly Candidate[];
  readonly nonResource: readonly Candidate[];
}

/** Finds the FlowSchema of a request. Subjects are matched once for each user, and only the rest for each request. */
export class RequestClassifier {
  readonly #flowSchemas: readonly FlowSchemaState[];
  readonly #catchAll: FlowSchemaState;
  readonly #users = new BoundedMap<string, UserCandidates>(maxCachedUsers);
  #lastUser: UserInfo | undefined;
  #lastCandidates: UserCandidates = { groups: [], resource: [], nonResource: [] };

  /** @param flowSchemas in matching order, including catch-all */
  constructor(flowSchemas: readonly FlowSchemaState[]) {
    this.#flowSchemas = flowSchemas;
    this.#catchAll = flowSchemas.find(({ name }) => name === catchAllName) as FlowSchemaState;
  }

  classify(request: RequestInfo, user: UserInfo): FlowSchemaState {
    const { resource, nonResource } = this.#candidatesOf(user);
    for (const candidate of request.isResourceRequest ? resource : nonResource) {
      if (candidate.matches(request)) return candidate.flowSchema;
    }
    return this.#catchAll;
  }

  #candidatesOf(user: UserInfo): UserCandidates {
    // authenticators cache users, so the same user is usually the same object
    if (user !== this.#lastUser) {
      this.#lastCandidates = this.#lookUp(user);
      this.#lastUser = user;
    }
    return this.#lastCandidates;
  }

  #lookUp(user: UserInfo): UserCandidates {
    const cached = this.#users.get(user.name);
    // the same name may have other groups if another authenticator or token is used
    if (cached !== undefined && sameStrings(cached.groups, user.groups)) return cached;
    const candidates = (isResourceRequest: boolean): Candidate[] =>
      this.#flowSchemas.flatMap((flowSchema) => {
        const matches = flowSchema.rules.forUser(user, isResourceRequest);
        return matches === undefined ? [] : [{ flowSchema, matches }];
      });
    const found = { groups: [...user.groups], resource: candidates(true), nonResource: candidates(false) };
    this.#users.set(user.name, found);
    return found;
  }
}

function sameStrings(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
