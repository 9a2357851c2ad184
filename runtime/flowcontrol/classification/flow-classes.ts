import type { UserInfo } from '../../machinery/user-info.ts';
import type { LevelState } from '../concurrency/level-state.ts';
import type { FlowSeries } from '../metrics/series.ts';
import { catchAllName, type FlowSchema } from '../objects.ts';
import type { RequestDigest } from '../request-digest.ts';
import { type Flow, makeFlow } from './flow.ts';
import { CompiledRules } from './rules.ts';

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

/** @param classes in matching order, one of them the catch-all, which takes what nothing matches */
export function classify(classes: readonly FlowClass[], request: RequestDigest, user: UserInfo): FlowClass {
  for (const one of classes) if (one.rules.matches(request, user)) return one;
  return classes.find(({ name }) => name === catchAllName) as FlowClass;
}
