import type { Operation } from '../../machinery/admission.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Amounts } from '../../machinery/scalars/resource-amounts.ts';
import type { ScopeFacts } from './scopes.ts';

/** What an object counts for. */
export interface Measure {
  readonly usage: Amounts;
  readonly scopes: ScopeFacts;
  /** Milliseconds since the epoch after which the object counts for something else. Default: never. */
  readonly until?: number;
}

/** Containers without an amount, by the name of the resource. */
export type MissingAmounts = Readonly<Record<string, readonly string[]>>;

/** Knows what the objects of one resource count for. (apiserver pkg/quota/v1 Evaluator) */
export interface Evaluator {
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Whether such writes can change the usage. (Handles) */
  handles(operation: Operation, subresource: string): boolean;
  /** Whether this update of such an object can. Default: it can. */
  handlesUpdate?(object: KubeObject, old: KubeObject): boolean;
  /** Whether objects count for the resource of a quota. (MatchingResources) */
  matches(name: string): boolean;
  /** @param now milliseconds since the epoch (Usage, MatchingScopes) */
  measure(object: KubeObject, now: number): Measure;
  /** Amounts that a quota for them requires. Default: none. (Constraints) */
  missing?(object: KubeObject): MissingAmounts;
  /** What every object counts for, if all count for the same: their number is all that has to be known. */
  readonly each?: Measure;
}
