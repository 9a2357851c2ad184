import type { JsonSchema, ValidationRule } from '../../machinery/schema/json-schema.ts';
import { type FieldError, forbidden, internalError, invalid } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { addSaturating, multiplySaturating } from '../cost/estimates.ts';
import { type DeclType, schemaDeclType } from '../types/decl-type.ts';
import { escapeProperty } from '../types/escaping.ts';
import { type CompilationResult, compileRules } from './compile.ts';
import { staticEstimatedCostLimit, staticEstimatedCrdCostLimit } from './limits.ts';

export { validateRuleFields } from './rule-fields.ts';

interface RuleCost {
  readonly path: FieldPath;
  readonly cost: bigint;
}

/** The estimated cost of all rules of one version, with the most expensive rules. (validation.TotalCost) */
class TotalCost {
  cost = 0n;
  expensive: RuleCost[] = [];

  add(path: FieldPath, cost: bigint): void {
    this.cost = addSaturating(this.cost, cost);
    if (cost < staticEstimatedCrdCostLimit / 100n) return;
    this.expensive = [...this.expensive, { path, cost }].sort((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0));
    this.expensive.length = Math.min(this.expensive.length, 4);
  }
}

/** Returns "estimated rule cost exceeds budget by factor of 1.6x (try ...)". */
function costMessage(what: string, cost: bigint, limit: bigint): string {
  const excess = Number(cost) / Number(limit);
  const factor = excess > 100 ? 'more than 100x' : excess < 1.5 ? `${excess.toFixed(6)}x` : `${excess.toFixed(1)}x`;
  return (
    `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, ` +
    'and maxLength where arrays, maps, and strings are declared)'
  );
}

/**
 * The context for validating the rules of one schema node in a CustomResourceDefinition: the node's type, and the
 * number of its values in one object. (apiextensions pkg/apis/apiextensions/validation/cel_validation.go
 * CELSchemaContext)
 */
export class CelSchemaContext {
  readonly #schema: JsonSchema;
  readonly #parent: CelSchemaContext | undefined;
  readonly #find: (parent: DeclType) => DeclType | undefined;
  /** The number of values; undefined if unbounded. */
  readonly #cardinality: bigint | undefined;
  readonly #withinRules: boolean;
  readonly #total: TotalCost;
  #type: DeclType | undefined;

  private constructor(schema: JsonSchema, parent: CelSchemaContext | undefined, find: (parent: DeclType) => DeclType | undefined) {
    this.#schema = schema;
    this.#parent = parent;
    this.#find = find;
    this.#cardinality = parent ? parent.#childCardinality() : 1n;
    this.#withinRules = (parent ? parent.#withinRules : false) || hasRules(schema);
    this.#total = parent ? parent.#total : new TotalCost();
  }

  /** Returns the context of the root schema of a version, which must be structural. */
  static root(schema: JsonSchema): CelSchemaContext {
    return new CelSchemaContext(schema, undefined, () => undefined);
  }

  property(schema: JsonSchema, name: string): CelSchemaContext {
    return new CelSchemaContext(schema, this, (parent) => parent.fields?.get(escapeProperty(name) ?? ''));
  }

  items(schema: JsonSchema): CelSchemaContext {
    return new CelSchemaContext(schema, this, ({ element, key }) => (key ? undefined : element));
  }

  additionalProperties(schema: JsonSchema): CelSchemaContext {
    return new CelSchemaContext(schema, this, ({ element, key }) => (key ? element : undefined));
  }

  #childCardinality(): bigint | undefined {
    if (this.#cardinality === undefined) return undefined;
    const factor = maxElements(this.#schema);
    return factor === undefined ? undefined : multiplySaturating(this.#cardinality, factor);
  }

  /** Returns the node's type. Takes it from the parent's type if possible, because creating one from a schema is expensive. */
  #declType(): DeclType | undefined {
    if (this.#type || !this.#withinRules) return this.#type;
    const parent = this.#parent ? this.#parent.#declType() : undefined;
    // upstream reports a parent without a type at each rule below it (CELSchemaContext.TypeInfo)
    if (parent === undefined && this.#parent !== undefined && this.#parent.#withinRules) return undefined;
    this.#type = (parent && this.#find(parent)) ?? schemaDeclType(this.#schema, this.#isResource());
    return this.#type;
  }

  #isResource(): boolean {
    return this.#parent === undefined || this.#schema['x-kubernetes-embedded-resource'] === true;
  }

  /**
   * Returns the errors of the node's rules, and adds their cost to the total of the version. A rule must compile, must
   * not cost too much, and must not use oldSelf if old and new values cannot be correlated.
   *
   * @param path the path of the schema
   * @param uncorrelatable the path of the nearest schema above whose values cannot be correlated
   */
  check(path: FieldPath, uncorrelatable?: FieldPath): FieldError[] {
    if (!hasRules(this.#schema)) return [];
    const at = path.child('x-kubernetes-validations');
    const type = this.#declType();
    if (!type) {
      const reason = 'unable to convert structural schema to CEL declarations';
      const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${reason}`;
      return [internalError(at, detail)];
    }
    return compileRules(this.#schema, type).flatMap((compiled, i) => this.#checkRule(compiled, at.index(i), uncorrelatable));
  }

  #checkRule(compiled: CompilationResult, path: FieldPath, uncorrelatable: FieldPath | undefined): FieldError[] {
    const errors: FieldError[] = [];
    const { rule, error, messageExpressionError } = compiled;
    const atRule = path.child('rule');
    const cost = multiplySaturating(compiled.maxCost, this.#cardinality ?? compiled.maxCardinality);
    if (cost > staticEstimatedCostLimit) {
      errors.push(forbidden(atRule, costMessage('estimated rule cost', cost, staticEstimatedCostLimit)));
    }
    this.#total.add(atRule, cost);
    if (error) errors.push(invalid(atRule, shownRule(rule), error.detail));
    const atMessage = path.child('messageExpression');
    const messageCost = compiled.messageExpressionMaxCost;
    if (messageExpressionError) errors.push(invalid(atMessage, shownRule(rule), messageExpressionError.detail));
    else if (compiled.messageExpression) {
      if (messageCost > staticEstimatedCostLimit) {
        errors.push(forbidden(atMessage, costMessage('estimated messageExpression cost', messageCost, staticEstimatedCostLimit)));
      }
      this.#total.add(atMessage, messageCost);
    }
    if (compiled.usesOldSelf) {
      if (uncorrelatable) {
        const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
        errors.push(invalid(atRule, rule.rule, detail));
      }
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      errors.push(invalid(path.child('optionalOldSelf'), rule.optionalOldSelf, detail));
    }
    return errors;
  }

  /**
   * Returns an error if all rules together cost too much, and one for each of the most expensive rules. Call this after
   * all nodes have been checked.
   *
   * @param path the path of the version's schema
   */
  totalErrors(path: FieldPath): FieldError[] {
    const { cost, expensive } = this.#total;
    if (cost <= staticEstimatedCrdCostLimit) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const total = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...expensive.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, costMessage(total, cost, staticEstimatedCrdCostLimit)),
    ];
  }
}

/** Returns a rule for error messages, in the form of upstream's internal type. */
function shownRule(rule: ValidationRule): Record<string, unknown> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

const hasRules = (schema: JsonSchema): boolean => (schema['x-kubernetes-validations']?.length ?? 0) > 0;

/** Returns the maximum number of a child's values in one value; undefined if unbounded. */
function maxElements(schema: JsonSchema): bigint | undefined {
  const bound = (limit: number | bigint | undefined): bigint | undefined =>
    limit === undefined ? undefined : limit < 0 ? 0n : BigInt(limit);
  if (schema.type === 'array') return bound(schema.maxItems);
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  return isMap ? bound(schema.maxProperties) : 1n;
}
