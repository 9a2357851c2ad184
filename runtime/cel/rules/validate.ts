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
import { evaluations } from './timings.ts';
import type { RuleValidator } from './validator.ts';

export { newRuleValidator, type RuleValidator } from './validator.ts';

export interface RuleInput {
  readonly self: Json;
  /** The old value; undefined for a created object. */
  readonly oldSelf?: Json;
  /** The path of `self`. Default: the root. */
  readonly path?: FieldPath;
  /** The maximum cost of the rules. Default: runtimeCostBudget. */
  readonly budget?: number;
  /**
   * Whether errors of unchanged values become warnings, except for rules that use oldSelf. Default: true with oldSelf.
   */
  readonly ratchet?: boolean;
}

export interface RuleResult {
  readonly errors: FieldError[];
  readonly warnings: string[];
  /** The remaining budget. Negative if no more rules may run: the budget is exhausted, or a rule failed. */
  readonly remainingBudget: number;
}

/**
 * Runs all rules on a value. (apiextensions pkg/apiserver/schema/cel/validation.go)
 *
 * @throws EventLoopBudgetError if the rules take too long for this thread
 */
export function validateRules(validator: RuleValidator, input: RuleInput): RuleResult {
  const { self, oldSelf, path = FieldPath.root, budget = runtimeCostBudget, ratchet = oldSelf !== undefined } = input;
  const run = new RuleRun(budget);
  const node = new RuleNode(validator, path, self, oldSelf);
  if (ratchet && oldSelf !== undefined) node.currentCorrelation = new Correlation(self, oldSelf, validator.schema);
  const since = performance.now();
  try {
    shareEventLoopBudget(() => run.validate(node));
  } finally {
    evaluations.observe(since);
    clearValueCaches();
  }
  return { errors: run.errors, warnings: run.warnings, remainingBudget: run.budget };
}

/** Clears the caches after the rules of one object. */
function clearValueCaches(): void {
  clearRuneCache();
  clearFormatCache();
  clearMemberNames();
}

/** A value with its rules. Objects may have thousands of nodes, so they are created without copies. */
class RuleNode {
  readonly validator: RuleValidator;
  readonly path: FieldPath;
  readonly self: Json;
  readonly oldSelf: Json | undefined;
  /** The relation of the value to the old object, as in upstream's ratchetingOptions. */
  currentCorrelation: Correlation | undefined = undefined;
  nearestParentCorrelation: Correlation | undefined = undefined;

  constructor(validator: RuleValidator, path: FieldPath, self: Json, oldSelf: Json | undefined) {
    this.validator = validator;
    this.path = path;
    this.self = self;
    this.oldSelf = oldSelf;
  }

  /** Returns a node for the same value with a validator of allOf. */
  withValidator(validator: RuleValidator): RuleNode {
    const node = new RuleNode(validator, this.path, this.self, this.oldSelf);
    node.nearestParentCorrelation = this.nearestParentCorrelation;
    return node;
  }

  item(validator: RuleValidator, index: number, self: Json, oldSelf: Json | undefined): RuleNode {
    const node = new RuleNode(validator, this.path.index(index), self, oldSelf);
    const { currentCorrelation } = this;
    if (currentCorrelation) {
      node.currentCorrelation = currentCorrelation.index(index);
      node.nearestParentCorrelation = currentCorrelation;
    } else node.nearestParentCorrelation = this.nearestParentCorrelation;
    return node;
  }

  /** @param node the node of the member's value, without correlations */
  correlateMember(key: string, node: RuleNode): RuleNode {
    const { currentCorrelation, nearestParentCorrelation } = this;
    if (!currentCorrelation) {
      node.nearestParentCorrelation = nearestParentCorrelation;
      // the version or kind of the whole object may change
    } else if (nearestParentCorrelation || (key !== 'apiVersion' && key !== 'kind')) {
      node.currentCorrelation = currentCorrelation.key(key);
      node.nearestParentCorrelation = currentCorrelation;
    }
    return node;
  }
}

const isUnchanged = ({ currentCorrelation, nearestParentCorrelation }: RuleNode): boolean =>
  (currentCorrelation ?? nearestParentCorrelation)?.equal() === true;

const ruleText = ({ message, rule }: ValidationRule): string => (message ? message.trim() : rule.trim());

const exhausted = 'validation failed due to running out of cost budget, no further validation rules will be run';

class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  budget: number;

  constructor(budget: number) {
    this.budget = budget;
  }

  validate(node: RuleNode): void {
    const { validator, self } = node;
    if (self === null || self === undefined) return;
    this.#runRules(node);
    for (const allOfValidator of validator.allOfValidators) {
      if (this.budget < 0) return;
      this.validate(node.withValidator(allOfValidator));
    }
    if (this.budget < 0) return;
    if (Array.isArray(self)) this.#validateItems(node, self);
    else if (isJsonObject(self)) this.#validateMembers(node, self);
  }

  #validateItems(node: RuleNode, self: readonly Json[]): void {
    const { oldSelf, validator } = node;
    const { items } = validator;
    if (!items) return;
    const oldItems = new MapList(validator.schema, Array.isArray(oldSelf) ? oldSelf : undefined);
    for (const [index, item] of self.entries()) {
      if (this.budget < 0) return;
      this.validate(node.item(items, index, item, oldItems.get(item)));
    }
  }

  #validateMembers(node: RuleNode, self: { readonly [key: string]: Json }): void {
    const { path, oldSelf, validator } = node;
    const mapType = validator.schema['x-kubernetes-map-type'];
    const correlatable = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
    const oldValueOf = (key: string): Json | undefined =>
      correlatable && isJsonObject(oldSelf) && Object.hasOwn(oldSelf, key) ? oldSelf[key] : undefined;
    const { additionalProperties, properties } = validator;
    if (additionalProperties) {
      for (const [key, value] of Object.entries(self)) {
        if (this.budget < 0) return;
        const member = new RuleNode(additionalProperties, path.key(key), value, oldValueOf(key));
        this.validate(node.correlateMember(key, member));
      }
    }
    for (const [key, property] of properties) {
      if (this.budget < 0) return;
      const value = Object.hasOwn(self, key) ? self[key] : undefined;
      if (value === undefined) continue;
      const member = new RuleNode(property, path.child(key), value, oldValueOf(key));
      this.validate(node.correlateMember(key, member));
    }
  }

  #runRules(node: RuleNode): void {
    const { validator, path } = node;
    if (validator.failure !== undefined) {
      this.errors.push(invalid(path, validator.type, `rule compiler initialization error: ${validator.failure}`));
      return;
    }
    if (validator.isEmpty) return;
    if (this.budget <= 0) {
      this.#stop(invalid(path, validator.type, exhausted));
      return;
    }
    const variables = new Variables(node);
    for (const compiled of validator.rules()) {
      this.#runRule(node, compiled, variables);
      if (this.budget < 0) return;
    }
  }

  /** Reports the error and stops all validation. */
  #stop(error: FieldError): void {
    this.errors.push(error);
    this.budget = -1;
  }

  #runRule(node: RuleNode, compiled: CompilationResult, variables: Variables): void {
    const { validator, path } = node;
    const { rule, program } = compiled;
    if (compiled.error) {
      this.errors.push(invalid(path, validator.type, `rule compile error: ${compiled.error.detail}`));
      return;
    }
    if (!program) return;
    if (compiled.usesOldSelf && !variables.hasOldSelf && rule.optionalOldSelf !== true) return;
    const { value, cost } = program.evaluate(variables.of(rule.optionalOldSelf === true), perCallLimit);
    if (cost > this.budget) {
      this.#stop(invalid(path, validator.type, exhausted));
      return;
    }
    this.budget -= cost;
    if (isError(value)) {
      this.#ruleFailed(node, rule, value.message);
      return;
    }
    if (value === true) return;
    const errorPath = compiled.fieldPath === '' ? path : path.child(compiled.fieldPath);
    const add = (error: FieldError): void => {
      if (!compiled.usesOldSelf && isUnchanged(node)) this.warnings.push(fieldErrorMessage(error));
      else this.errors.push(error);
    };
    const detail = this.#message(compiled, variables, (text) => {
      add(invalid(errorPath, validator.type, text));
      this.budget = -1;
    });
    if (detail !== undefined) add(violation(node, rule, detail, errorPath));
  }

  #ruleFailed({ validator, path }: RuleNode, rule: ValidationRule, message: string): void {
    const text = ruleText(rule);
    const error = (detail: string): FieldError => invalid(path, validator.type, detail);
    if (message.startsWith('no such overload')) {
      const explanation = 'call arguments did not match a supported operator, function or macro signature for rule';
      this.errors.push(error(`'${message}': ${explanation}: ${text}`));
    } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
      const explanation = 'no further validation rules will be run due to call cost exceeds limit for rule';
      this.#stop(error(`'${message}': ${explanation}: ${text}`));
    } else this.errors.push(error(`${message} evaluating rule: ${text}`));
  }

  /** Returns the message of a violation; undefined if its messageExpression exceeded the budget. */
  #message(compiled: CompilationResult, variables: Variables, stop: (detail: string) => void): string | undefined {
    const { rule, messageExpression } = compiled;
    const message = rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
    if (!messageExpression) return message;
    const { value, cost } = messageExpression.evaluate(variables.of(false), perCallLimit);
    if (cost > this.budget) {
      const failure = 'messageExpression evaluation failed due to running out of cost budget';
      stop(`${failure}, no further validation rules will be run`);
      return undefined;
    }
    if (isError(value) && value.message.startsWith('operation cancelled: actual cost limit exceeded')) {
      const failure = 'no further validation rules will be run due to call cost exceeds limit for messageExpression';
      stop(`${failure}: ${JSON.stringify(rule.messageExpression)}`);
      return undefined;
    }
    this.budget -= cost;
    const text = typeof value === 'string' ? value.trim() : '';
    const isValid = text !== '' && Buffer.byteLength(text) <= maxEvaluatedMessageExpressionSizeBytes && !text.includes('\n');
    return isValid ? text : message;
  }
}

/** Returns the error for the rule's reason. Its value shows no objects and lists. */
function violation({ validator, self }: RuleNode, rule: ValidationRule, detail: string, path: FieldPath): FieldError {
  const value = validator.type === 'object' || validator.type === 'array' ? omittedValue : self;
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

/** The variables `self` and `oldSelf`, converted on first use. */
class Variables {
  readonly hasOldSelf: boolean;
  readonly #node: RuleNode;
  #variables: Record<string, Value> | undefined;
  #variablesWithOptionalOldSelf: Record<string, Value> | undefined;

  constructor(node: RuleNode) {
    this.hasOldSelf = node.oldSelf !== undefined && node.oldSelf !== null;
    this.#node = node;
  }

  /** @param optionalOldSelf makes oldSelf an optional value */
  of(optionalOldSelf: boolean): Readonly<Record<string, Value>> {
    this.#variables ??= this.#convert();
    if (!optionalOldSelf) return this.#variables;
    const { oldSelf } = this.#variables;
    this.#variablesWithOptionalOldSelf ??= {
      ...this.#variables,
      oldSelf: oldSelf === undefined ? none : new Optional(oldSelf),
    };
    return this.#variablesWithOptionalOldSelf;
  }

  #convert(): Record<string, Value> {
    const { self, oldSelf, validator } = this.#node;
    const value = jsonValue(self, validator.schema);
    if (oldSelf === undefined || oldSelf === null) return { self: value };
    return { self: value, oldSelf: jsonValue(oldSelf, validator.schema) };
  }
}
