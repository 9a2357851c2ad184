import { shareEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';
import { Correlation } from '../../machinery/schema/correlation.ts';
import type { ValidationRule } from '../../machinery/schema/json-schema.ts';
import { MapList } from '../../machinery/schema/map-list.ts';
import {
  duplicate,
  type FieldError,
  fieldErrorMessage,
  forbidden,
  invalid,
  omittedValue,
  required,
} from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';

import { jsonValue } from '../values/json.ts';
import { clearFormatCache } from '../values/json-formats.ts';
import { clearMemberNames } from '../values/member-names.ts';
import { clearRuneCache } from '../values/runes.ts';
import { isError, none, Optional, type Value } from '../values/value.ts';
import type { CompilationResult } from './compile.ts';
import { maxEvaluatedMessageExpressionSizeBytes, perCallLimit, runtimeCostBudget } from './limits.ts';
import type { RuleValidator } from './validator.ts';

export { newRuleValidator, type RuleValidator } from './validator.ts';

export interface RuleInput {
  readonly self: Json;
  /** Absent when the object is created. */
  readonly oldSelf?: Json;
  /** Where `self` stands. Default: it is the object. */
  readonly path?: FieldPath;
  /** What may be spent. Default: runtimeCostBudget. */
  readonly budget?: number;
  /**
   * Errors of values that did not change become warnings, unless the rule reads oldSelf. Default: with oldSelf, yes.
   */
  readonly ratchet?: boolean;
}

export interface RuleOutcome {
  readonly errors: FieldError[];
  readonly warnings: string[];
  /** Below zero: the budget is spent, or something went wrong such that no rule may run any more. */
  readonly remainingBudget: number;
}

/** What was remembered of the object's values, for the next rule to find. */
function forget(): void {
  clearRuneCache();
  clearFormatCache();
  clearMemberNames();
}

/**
 * Runs all rules over a value. (apiextensions pkg/apiserver/schema/cel/validation.go)
 *
 * @throws EventLoopBudgetError where they take too long for the thread
 */
export function validateRules(tree: RuleValidator, input: RuleInput): RuleOutcome {
  const { self, oldSelf, path = FieldPath.root, budget = runtimeCostBudget, ratchet = oldSelf !== undefined } = input;
  const run = new Run(budget);
  const current = ratchet && oldSelf !== undefined ? new Correlation(self, oldSelf, tree.schema) : undefined;
  try {
    shareEventLoopBudget(() => run.validate(tree, path, self, oldSelf, { current, nearest: undefined }));
  } finally {
    forget();
  }
  return { errors: run.errors, warnings: run.warnings, remainingBudget: run.budget };
}

/** How the value, and the nearest value above that has one, relate to the old object. */
interface RatchetingOptions {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

function below(
  place: RatchetingOptions,
  child: (current: Correlation) => Correlation | undefined,
  name?: string,
): RatchetingOptions {
  const { current, nearest } = place;
  if (!current) return place;
  // A changed version or kind of the whole object is not held against it.
  if (!nearest && (name === 'apiVersion' || name === 'kind')) return { current: undefined, nearest: undefined };
  return { current: child(current), nearest: current };
}

const isUnchanged = ({ current, nearest }: RatchetingOptions): boolean => (current ?? nearest)?.equal() === true;

const ruleText = ({ message, rule }: ValidationRule): string => (message ? message.trim() : rule.trim());

const exhausted = 'validation failed due to running out of cost budget, no further validation rules will be run';

class Run {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  budget: number;

  constructor(budget: number) {
    this.budget = budget;
  }

  validate(
    tree: RuleValidator,
    path: FieldPath,
    self: Json,
    oldSelf: Json | undefined,
    place: RatchetingOptions,
  ): void {
    if (self === null || self === undefined) return;
    this.#runRules(tree, path, self, oldSelf ?? undefined, place);
    for (const part of tree.allOf) {
      if (this.budget < 0) return;
      this.validate(part, path, self, oldSelf, { current: undefined, nearest: place.nearest });
    }
    if (this.budget < 0) return;
    if (Array.isArray(self)) this.#validateItems(tree, path, self, oldSelf, place);
    else if (isJsonObject(self)) this.#validateMembers(tree, path, self, oldSelf, place);
  }

  #validateItems(
    tree: RuleValidator,
    path: FieldPath,
    self: Json[],
    oldSelf: Json | undefined,
    place: RatchetingOptions,
  ): void {
    const { items } = tree;
    if (!items) return;
    const old = new MapList(tree.schema, Array.isArray(oldSelf) ? oldSelf : undefined);
    for (let i = 0; i < self.length && this.budget >= 0; i++) {
      this.validate(
        items,
        path.index(i),
        self[i],
        old.get(self[i]),
        below(place, (current) => current.index(i)),
      );
    }
  }

  #validateMembers(
    tree: RuleValidator,
    path: FieldPath,
    self: { [key: string]: Json },
    oldSelf: Json | undefined,
    place: RatchetingOptions,
  ): void {
    const mapType = tree.schema['x-kubernetes-map-type'];
    const correlatable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    const oldOf = (name: string): Json | undefined =>
      correlatable && isJsonObject(oldSelf) && Object.hasOwn(oldSelf, name) ? oldSelf[name] : undefined;
    const { values, properties } = tree;
    if (values) {
      for (const name of Object.keys(self)) {
        if (this.budget < 0) return;
        const inner = below(place, (current) => current.key(name), name);
        this.validate(values, path.key(name), self[name], oldOf(name), inner);
      }
    }
    for (const [name, child] of properties) {
      if (this.budget < 0) return;
      if (!Object.hasOwn(self, name)) continue;
      const inner = below(place, (current) => current.key(name), name);
      this.validate(child, path.child(name), self[name], oldOf(name), inner);
    }
  }

  #runRules(
    tree: RuleValidator,
    path: FieldPath,
    self: Json,
    oldSelf: Json | undefined,
    place: RatchetingOptions,
  ): void {
    if (tree.failure !== undefined) {
      this.errors.push(invalid(path, tree.type, `rule compiler initialization error: ${tree.failure}`));
      return;
    }
    if (tree.isEmpty) return;
    if (this.budget <= 0) {
      this.#stop(invalid(path, tree.type, exhausted));
      return;
    }
    const variables = new Variables(tree, self, oldSelf);
    for (const compiled of tree.rules()) {
      this.#runRule(tree, compiled, variables, path, place);
      if (this.budget < 0) return;
    }
  }

  /** Reports the error and runs nothing more. */
  #stop(error: FieldError): void {
    this.errors.push(error);
    this.budget = -1;
  }

  #runRule(
    tree: RuleValidator,
    compiled: CompilationResult,
    variables: Variables,
    path: FieldPath,
    place: RatchetingOptions,
  ): void {
    const { rule, program } = compiled;
    if (compiled.error) {
      this.errors.push(invalid(path, tree.type, `rule compile error: ${compiled.error.detail}`));
      return;
    }
    if (!program) return;
    if (compiled.usesOldSelf && !variables.hasOldSelf && rule.optionalOldSelf !== true) return;
    const { value, cost } = program.evaluate(variables.of(rule.optionalOldSelf === true), perCallLimit);
    if (cost > this.budget) {
      this.#stop(invalid(path, tree.type, exhausted));
      return;
    }
    this.budget -= cost;
    if (isError(value)) {
      this.#ruleFailed(tree, rule, value.message, path);
      return;
    }
    if (value === true) return;
    const at = compiled.fieldPath === '' ? path : path.child(compiled.fieldPath);
    const add = (error: FieldError): void => {
      if (!compiled.usesOldSelf && isUnchanged(place)) this.warnings.push(fieldErrorMessage(error));
      else this.errors.push(error);
    };
    const detail = this.#message(compiled, variables, (text) => {
      add(invalid(at, tree.type, text));
      this.budget = -1;
    });
    if (detail !== undefined) add(violation(tree, rule, variables.json, detail, at));
  }

  #ruleFailed(tree: RuleValidator, rule: ValidationRule, problem: string, path: FieldPath): void {
    const text = ruleText(rule);
    const report = (detail: string): FieldError => invalid(path, tree.type, detail);
    if (problem.startsWith('no such overload')) {
      const explained = 'call arguments did not match a supported operator, function or macro signature for rule';
      this.errors.push(report(`'${problem}': ${explained}: ${text}`));
    } else if (problem.startsWith('operation cancelled: actual cost limit exceeded')) {
      const explained = 'no further validation rules will be run due to call cost exceeds limit for rule';
      this.#stop(report(`'${problem}': ${explained}: ${text}`));
    } else this.errors.push(report(`${problem} evaluating rule: ${text}`));
  }

  /** The text of a violation; undefined where the budget ended with it. */
  #message(compiled: CompilationResult, variables: Variables, stop: (detail: string) => void): string | undefined {
    const { rule, messageExpression } = compiled;
    const plain = rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
    if (!messageExpression) return plain;
    const { value, cost } = messageExpression.evaluate(variables.of(false), perCallLimit);
    if (cost > this.budget) {
      const spent = 'messageExpression evaluation failed due to running out of cost budget';
      stop(`${spent}, no further validation rules will be run`);
      return undefined;
    }
    if (isError(value) && value.message.startsWith('operation cancelled: actual cost limit exceeded')) {
      const explained = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
      stop(`${explained}: ${JSON.stringify(rule.messageExpression)}`);
      return undefined;
    }
    this.budget -= cost;
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' || Buffer.byteLength(text) > maxEvaluatedMessageExpressionSizeBytes || text.includes('\n')
      ? plain
      : text;
  }
}

/** The error a rule's reason asks for. Objects and lists are not shown. */
function violation(tree: RuleValidator, rule: ValidationRule, self: Json, detail: string, path: FieldPath): FieldError {
  const value = tree.type === 'object' || tree.type === 'array' ? omittedValue : self;
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, detail);
    case 'FieldValueRequired':
      return required(path, detail);
    case 'FieldValueDuplicate':
      return duplicate(path, value);
    default:
      return invalid(path, value, detail);
  }
}

/** `self` and `oldSelf`, read when a rule first needs them. */
class Variables {
  readonly json: Json;
  readonly hasOldSelf: boolean;
  readonly #tree: RuleValidator;
  readonly #old: Json | undefined;
  #plain: Record<string, Value> | undefined;
  #optional: Record<string, Value> | undefined;

  constructor(tree: RuleValidator, self: Json, oldSelf: Json | undefined) {
    this.json = self;
    this.hasOldSelf = oldSelf !== undefined;
    this.#tree = tree;
    this.#old = oldSelf;
  }

  of(optional: boolean): Readonly<Record<string, Value>> {
    this.#plain ??= this.#read();
    if (!optional) return this.#plain;
    const { oldSelf } = this.#plain;
    this.#optional ??= { ...this.#plain, oldSelf: oldSelf === undefined ? none : new Optional(oldSelf) };
    return this.#optional;
  }

  #read(): Record<string, Value> {
    const self = jsonValue(this.json, this.#tree.schema);
    return this.#old === undefined ? { self } : { self, oldSelf: jsonValue(this.#old, this.#tree.schema) };
  }
}
