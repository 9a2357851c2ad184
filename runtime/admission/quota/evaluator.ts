import type { Operation } from '../../machinery/admission.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Amounts } from '../../machinery/scalars/resource-amounts.ts';
import type { ScopeFacts } from './scopes.ts';

/** The amounts and scopes of an object. */
export interface Measure {
  readonly usage: Amounts;
  readonly scopes: ScopeFacts;
  /** Milliseconds since the epoch until which the measure is valid. Default: forever. */
  readonly until?: number;
}

/** The names of containers that lack an amount, by resource. */
export type MissingAmounts = Readonly<Record<string, readonly string[]>>;

/** Measures the objects of one resource. (apiserver pkg/quota/v1 Evaluator) */
export interface Evaluator {
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Reports whether such writes can change the usage. (Handles) */
  handles(operation: Operation, subresource: string): boolean;
  /** Reports whether this update can change the usage. Default: yes. */
  handlesUpdate?(object: KubeObject, old: KubeObject): boolean;
  /** Reports whether objects use a resource that a quota bounds. (MatchingResources) */
  matches(name: string): boolean;
  /** @param now milliseconds since the epoch (Usage, MatchingScopes) */
  measure(object: KubeObject, now: number): Measure;
  /** Returns the missing amounts that a quota for them requires. Default: none. (Constraints) */
  missing?(object: KubeObject): MissingAmounts;
  /** The measure of every object, if it is always the same. Only the objects' number matters then. */
  readonly each?: Measure;
}
