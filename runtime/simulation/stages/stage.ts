import { type CelValue, compileUnchecked, createEnvironment, isCelError, jsonValue, type Program } from '../../cel/expression.ts';
import { dynType } from '../../cel/types/type.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { readDuration } from '../../machinery/go/duration.ts';
import { quote } from '../../machinery/go/quote.ts';
import { type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { fieldsOf, listOf, number, optional, required, text } from './fields.ts';
import { Query } from './jq/query.ts';
import { readSteps, type StageStep } from './stage-steps.ts';

/** A Stage is invalid. The message names it. */
export class StageError extends Error {}

/** A change in the life of a kind's objects. (kwok.x-k8s.io/v1alpha1 Stage) */
export interface Stage {
  readonly name: string;
  /** The apiVersion of its objects. */
  readonly apiVersion: string;
  readonly kind: string;
  matches(object: KubeObject): boolean;
  /** Returns undefined if the source of the weight yields no number. */
  weight(object: KubeObject): number | undefined;
  /**
   * Returns milliseconds.
   *
   * @param now milliseconds since the epoch
   * @param random default: Math.random
   */
  delay(object: KubeObject, now: number, random?: () => number): number;
  readonly steps: readonly StageStep[];
}

type Predicate = (object: KubeObject) => boolean;
/** Returns the values of an expression. */
type Values = (object: KubeObject) => unknown[];

/** The longest CEL expression in characters, and the cost limit of an evaluation. */
const maxExpression = 8192;
const costLimit = 1_000_000;
const celEnvironment = () => createEnvironment({ variables: { self: dynType } });
let environment: ReturnType<typeof celEnvironment> | undefined;

/** @throws StageError */
export function readStage(object: KubeObject): Stage {
  const name = object.metadata.name ?? '';
  try {
    const spec = fieldsOf((object as { spec?: unknown }).spec, 'spec');
    const ref = fieldsOf(spec.resourceRef, 'spec.resourceRef');
    const delay = optional(spec.delay, 'spec.delay');
    const duration = durationOf(delay?.durationMilliseconds, delay?.durationFrom);
    const jitter = durationOf(delay?.jitterDurationMilliseconds, delay?.jitterDurationFrom);
    return {
      name,
      apiVersion: text(ref.apiGroup, 'spec.resourceRef.apiGroup') || 'v1',
      kind: required(text(ref.kind, 'spec.resourceRef.kind'), 'spec.resourceRef.kind'),
      matches: selectorOf(spec.selector),
      weight: weightOf(spec.weight, spec.weightFrom),
      delay(current, now, random = Math.random) {
        const least = duration(current, now) ?? 0;
        const most = jitter(current, now);
        if (most === undefined) return least;
        return most <= least ? most : least + random() * (most - least);
      },
      steps: readSteps(spec),
    };
  } catch (error) {
    throw new StageError(`Stage ${quote(name)} is invalid: ${messageOf(error)}`, { cause: error });
  }
}

/** Picks one matching stage at random, by weight. (pkg/utils/lifecycle Match) */
export function nextStage(stages: readonly Stage[], object: KubeObject, random = Math.random): Stage | undefined {
  const matching = stages.filter((stage) => stage.matches(object));
  if (matching.length <= 1) return matching[0];
  const weights = matching.map((stage) => stage.weight(object));
  const pick = (from: readonly Stage[]): Stage => elementAt(from, Math.floor(random() * from.length));
  const known = matching.filter((_, index) => weights[index] !== undefined);
  const total = weights.reduce<number>((sum, weight) => sum + Math.max(weight ?? 0, 0), 0);
  if (total === 0) return pick(known.length === 0 ? matching : known);
  let left = random() * total;
  for (const [index, stage] of matching.entries()) {
    left -= Math.max(weights[index] ?? 0, 0);
    if (left < 0) return stage;
  }
  return matching.at(-1);
}

/** Reads a selector. A Stage without one matches nothing. */
function selectorOf(given: unknown): Predicate {
  const selector = optional(given, 'spec.selector');
  if (selector === undefined) return () => false;
  const labels = Object.entries(optional(selector.matchLabels, 'matchLabels') ?? {});
  const annotations = Object.entries(optional(selector.matchAnnotations, 'matchAnnotations') ?? {});
  const expressions = listOf(selector.matchExpressions, 'matchExpressions').map(expressionOf);
  return (object) =>
    labels.every(([key, value]) => object.metadata.labels?.[key] === value) &&
    annotations.every(([key, value]) => object.metadata.annotations?.[key] === value) &&
    expressions.every((matches) => matches(object));
}

function expressionOf(given: unknown): Predicate {
  const expression = fieldsOf(given, 'matchExpressions');
  const cel = optional(expression.cel, 'cel');
  if (cel !== undefined) {
    const evaluate = celOf(text(cel.expression, 'cel.expression'));
    return (object) => evaluate(object) === true;
  }
  const { key, operator, values } = optional(expression.jq, 'jq') ?? expression;
  const query = new Query(required(text(key, 'key'), 'key'));
  const wanted = listOf(values, 'values').map(String);
  const has = (object: KubeObject): boolean =>
    query.run(object).some((value) => typeof value !== 'object' && wanted.includes(String(value)));
  const exists = (object: KubeObject): boolean => query.run(object).length > 0;
  const needsValues = operator === 'In' || operator === 'NotIn';
  if (needsValues && wanted.length === 0) throw new Error("for 'in', 'notin' operators, values set can't be empty");
  if (!needsValues && wanted.length > 0) throw new Error('values set must be empty for exists and does not exist');
  if (operator === 'In') return has;
  if (operator === 'NotIn') return (object) => !has(object);
  if (operator === 'Exists') return exists;
  if (operator === 'DoesNotExist') return (object) => !exists(object);
  throw new Error(`operator ${quote(String(operator ?? ''))} is not supported`);
}

/** Returns undefined for an evaluation error. */
function celOf(source: string): (object: KubeObject) => unknown {
  if (source.length > maxExpression) throw new Error('expression is too long');
  environment ??= celEnvironment();
  const program: Program | { readonly issues: string } = compileUnchecked(source, environment);
  if ('issues' in program) throw new Error(`compilation failed: ${program.issues}`);
  return (object) => {
    const self: CelValue = jsonValue(unstructuredContent(object));
    const { value } = program.evaluate({ self }, costLimit);
    return isCelError(value) ? undefined : value;
  };
}

/** Returns the source of a number or duration; undefined if none is given. */
function valuesOf(given: unknown, field: string): Values | undefined {
  const from = optional(given, field);
  if (from === undefined) return undefined;
  const cel = optional(from.cel, 'cel');
  if (cel !== undefined) {
    const evaluate = celOf(text(cel.expression, 'cel.expression'));
    return (object) => [evaluate(object)].filter((value) => value !== undefined);
  }
  const jq = optional(from.jq, 'jq');
  const query = new Query(text(jq?.expression ?? from.expressionFrom, field));
  return (object) => query.run(object);
}

function weightOf(given: unknown, from: unknown): Stage['weight'] {
  const weight = number(given, 'spec.weight') ?? 0;
  const values = valuesOf(from, 'spec.weightFrom');
  return (object) => {
    const found = values?.(object)[0];
    if (found === undefined) return weight;
    if (typeof found === 'bigint' || typeof found === 'number') return Number(found);
    return typeof found === 'string' && /^-?\d{1,15}$/.test(found) ? Number(found) : undefined;
  };
}

/** Reads a duration, or the end time of a wait. (pkg/utils/lifecycle/value_duration_from.go) */
function durationOf(given: unknown, from: unknown): (object: KubeObject, now: number) => number | undefined {
  const fallback = number(given, 'spec.delay');
  const values = valuesOf(from, 'spec.delay');
  return (object, now) => {
    const found = values?.(object)[0];
    if (typeof found !== 'string') return fallback;
    if (found === '') return undefined;
    const time = /^\d{4}-\d\d-\d\dT/.test(found) ? Date.parse(found) : Number.NaN;
    if (!Number.isNaN(time)) return time - now;
    const duration = readDuration(found);
    return typeof duration === 'bigint' ? Number(duration) / 1e6 : fallback;
  };
}
