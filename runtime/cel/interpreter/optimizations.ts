import { patternOf } from '../../machinery/patterns/pattern.ts';
import type { Implementation } from '../checker/declarations.ts';
import type { Comprehension } from '../syntax/ast.ts';
import { ValueList } from '../values/list.ts';
import { type MapKey, mapKey } from '../values/map.ts';
import { type CelList, isError, noSuchOverload, type Value } from '../values/value.ts';
import type { Interpretable } from './execution-frame.ts';

// optimizations of constant operands (cel-go interpreter/decorators.go, interpreter/optimizations.go)

/** Thrown for an expression that passes the check but cannot run. */
export class PlanError {
  readonly isPlanError = true;
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isPlanError(error: unknown): error is PlanError {
  return (error as PlanError | undefined)?.isPlanError === true;
}

const regexFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/**
 * Compiles a constant pattern once. Returns undefined if the function takes no pattern.
 *
 * @throws PlanError if the pattern is invalid
 */
export function constantRegexCall(name: string, pattern: Value): Implementation | undefined {
  if (!regexFunctions.has(name) || typeof pattern !== 'string') return undefined;
  const regex = patternOf(pattern);
  if (regex.error !== undefined) throw new PlanError(regex.error);
  const onText = (use: (text: string, limit: Value | undefined) => Value) => (text: Value, _pattern: Value, limit?: Value) =>
    typeof text === 'string' ? use(text, limit) : noSuchOverload;
  if (name === 'matches') return onText((text) => regex.test(text));
  if (name === 'find') return onText((text) => regex.find(text));
  return onText((text, limit) => new ValueList(regex.findAll(text, limit === undefined ? -1 : Number(limit))));
}

/** Returns undefined if an element cannot be a map key. */
export function mapKeysOf(list: CelList): ReadonlySet<MapKey> | undefined {
  const keys = new Set<MapKey>();
  for (let i = 0; i < list.size; i++) {
    const key = mapKey(list.at(i));
    if (key === undefined) return undefined;
    keys.add(key);
  }
  return keys;
}

export function evalSetMembership(operand: Interpretable, keys: ReadonlySet<MapKey>): Interpretable {
  return (frame) => {
    const value = operand(frame);
    if (isError(value)) return value;
    const key = mapKey(value);
    return key !== undefined && keys.has(key);
  };
}

/** Returns the value of its accumulator at which `all` (false) or `exists` (true) stops; undefined for other folds. */
export function stopOfQuantifier({ condition, accuVar }: Comprehension): boolean | undefined {
  if (condition.kind !== 'call' || condition.name !== '@not_strictly_false') return undefined;
  const [operand] = condition.args;
  if (operand?.kind === 'ident') return operand.name === accuVar ? false : undefined;
  if (operand?.kind !== 'call' || operand.name !== '!_') return undefined;
  const [negated] = operand.args;
  return negated?.kind === 'ident' && negated.name === accuVar ? true : undefined;
}
