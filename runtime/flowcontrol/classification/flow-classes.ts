import type { UserInfo } from '../../machinery/user-info.ts';
import type { LevelState } from '../concurrency/level-state.ts';
import type { FlowSeries } from '../metrics/series.ts';
import { catchAllName, type FlowSchema } from '../objects.ts';
import type { RequestDigest } from '../request-digest.ts';
import { type Flow, makeFlow } from './flow.ts';
import { CompiledRules, type MatchRequest } from './rules.ts';

/** Flows that are remembered of one schema; then all are forgotten, so that strangers' names do not fill memory. */
const rememberedFlows = 4096;

/** One FlowSchema in use, with the level that its requests go to. */
export class FlowClass {
  readonly name: string;
  readonly uid: string;
  readonly level: LevelState;
  readonly rules: CompiledRules;
  readonly series: FlowSeries;
  readonly #distinguisher: 'user' | 'namespace' | 'none';
  readonly #flows = new Map<string, Flow>();

  constructor({ metadata, spec }: FlowSchema, level: LevelState, series: FlowSeries) {
    this.name = metadata.name ?? '';
    this.uid = metadata.uid ?? '';
    this.level = level;
    this.series = series;
    this.rules = new CompiledRules(spec.rules ?? []);
    // with no queues to choose from all flows are alike
    const told = (level.dealer?.deckSize ?? 0) > 1 ? spec.distinguisherMethod?.type : undefined;
    this.#distinguisher = told === 'ByUser' ? 'user' : told === 'ByNamespace' ? 'namespace' : 'none';
  }

  flowOf(request: RequestDigest, user: UserInfo): Flow {
    const text =
      this.#distinguisher === 'user' ? user.name : this.#distinguisher === 'namespace' ? request.namespace : '';
    let flow = this.#flows.get(text);
    if (flow === undefined) {
      if (this.#flows.size >= rememberedFlows) this.#flows.clear();
      flow = makeFlow(this.series, text, this.level.dealer);
      this.#flows.set(text, flow);
    }
    return flow;
  }
}

/** The order in which schemas are asked: the lowest precedence first, then by name. */
export function inMatchingOrder(schemas: readonly FlowSchema[]): FlowSchema[] {
  const name = ({ metadata }: FlowSchema): string => metadata.name ?? '';
  return [...schemas].sort(
    (a, b) => a.spec.matchingPrecedence - b.spec.matchingPrecedence || (name(a) < name(b) ? -1 : 1),
  );
}

/** Users whose schemas are remembered; then all are forgotten. */
const rememberedUsers = 1024;

interface Candidate {
  readonly matched: FlowClass;
  readonly request: MatchRequest;
}

/** What the schemas say of one user's requests. */
interface Known {
  readonly groups: readonly string[];
  readonly resource: readonly Candidate[];
  readonly nonResource: readonly Candidate[];
}

/** Finds the schema of a request. Which of them are about a user is found out once. */
export class FlowClasses {
  readonly #classes: readonly FlowClass[];
  readonly #catchAll: FlowClass;
  readonly #users = new Map<string, Known>();
  #lastUser: UserInfo | undefined;
  #lastKnown: Known = { groups: [], resource: [], nonResource: [] };

  /** @param classes in matching order, one of them the catch-all, which takes what nothing matches */
  constructor(classes: readonly FlowClass[]) {
    this.#classes = classes;
    this.#catchAll = classes.find(({ name }) => name === catchAllName) as FlowClass;
  }

  classify(request: RequestDigest, user: UserInfo): FlowClass {
    const known = this.#of(user);
    for (const candidate of request.isResourceRequest ? known.resource : known.nonResource) {
      if (candidate.request(request)) return candidate.matched;
    }
    return this.#catchAll;
  }

  #of(user: UserInfo): Known {
    // the same user is mostly the same object, as authenticators remember them
    if (user !== this.#lastUser) {
      this.#lastKnown = this.#lookUp(user);
      this.#lastUser = user;
    }
    return this.#lastKnown;
  }

  #lookUp(user: UserInfo): Known {
    const found = this.#users.get(user.name);
    // one name may come with other groups, from another authenticator or another token
    if (found !== undefined && sameTexts(found.groups, user.groups)) return found;
    if (this.#users.size >= rememberedUsers) this.#users.clear();
    const candidates = (isResourceRequest: boolean): Candidate[] =>
      this.#classes.flatMap((matched) => {
        const request = matched.rules.of(user, isResourceRequest);
        return request === undefined ? [] : [{ matched, request }];
      });
    const known = { groups: [...user.groups], resource: candidates(true), nonResource: candidates(false) };
    this.#users.set(user.name, known);
    return known;
  }
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
