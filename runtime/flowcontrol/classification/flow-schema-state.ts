import { BoundedMap } from '../../machinery/collections/bounded-map.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { PriorityLevelState } from '../concurrency/priority-level-state.ts';
import type { FlowSchemaMetrics } from '../metrics/flow-schema-metrics.ts';
import type { FlowSchema } from '../objects.ts';
import type { RequestInfo } from '../request-info.ts';
import { type Flow, handOf } from './flow.ts';
import { RuleMatcher } from './rule-matcher.ts';

/** The maximum number of cached flows of one schema. */
const maxCachedFlows = 8192;

/** A flow of a FlowSchema in use. */
export interface FlowSchemaFlow extends Flow {
  readonly flowSchema: FlowSchemaState;
}

/** A FlowSchema in use, with the priority level that its requests go to. */
export class FlowSchemaState {
  readonly name: string;
  readonly uid: string;
  readonly priorityLevel: PriorityLevelState;
  readonly rules: RuleMatcher;
  readonly metrics: FlowSchemaMetrics;
  readonly #distinguishBy: 'user' | 'namespace' | 'none';
  readonly #flows = new BoundedMap<string, FlowSchemaFlow>(maxCachedFlows);

  constructor({ metadata, spec }: FlowSchema, priorityLevel: PriorityLevelState, metrics: FlowSchemaMetrics) {
    this.name = metadata.name ?? '';
    this.uid = metadata.uid ?? '';
    this.priorityLevel = priorityLevel;
    this.metrics = metrics;
    this.rules = new RuleMatcher(spec?.rules ?? []);
    // with one queue or none, all flows would get the same hand
    const method = (priorityLevel.dealer?.deckSize ?? 0) > 1 ? spec?.distinguisherMethod?.type : undefined;
    this.#distinguishBy = method === 'ByUser' ? 'user' : method === 'ByNamespace' ? 'namespace' : 'none';
  }

  flowOf(request: RequestInfo, user: UserInfo): FlowSchemaFlow {
    const by = this.#distinguishBy;
    const distinguisher = by === 'user' ? user.name : by === 'namespace' ? request.namespace : '';
    let flow = this.#flows.get(distinguisher);
    if (flow === undefined) {
      const { metrics, priorityLevel } = this;
      flow = { flowSchema: this, metrics, distinguisher, hand: handOf(this.name, distinguisher, priorityLevel.dealer) };
      this.#flows.set(distinguisher, flow);
    }
    return flow;
  }
}

/** Returns the schemas by matching precedence, lowest first, then by name. (apihelpers.FlowSchemaSequence) */
export function inMatchingOrder(schemas: readonly FlowSchema[]): FlowSchema[] {
  const precedence = ({ spec }: FlowSchema): number => spec?.matchingPrecedence ?? 0;
  const name = ({ metadata }: FlowSchema): string => metadata.name ?? '';
  return [...schemas].sort((a, b) => precedence(a) - precedence(b) || (name(a) < name(b) ? -1 : 1));
}
