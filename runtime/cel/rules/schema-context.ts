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

/** The worst case of all rules of one version, and the most expensive of them. */
class TotalCost {
  cost = 0n;
  expensive: RuleCost[] = [];

  add(path: FieldPath, cost: bigint): void {
    this.cost = addSaturating(this.cost, cost);
    if (cost < staticEstimatedCrdCostLimit / 100n) return;
    this.expensive = [...this.expensive, { path, cost }].sort((a, b) =>
      a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0,
    );
    this.expensive.length = Math.min(this.expensive.length, 4);
  }
}

/** Why a cost is too much: "estimated rule cost exceeds budget by factor of 1.6x (try ...)". */
export function costMessage(what: string, cost: bigint, limit: bigint): string {
  const excess = Number(cost) / Number(limit);
  const factor = excess > 100 ? 'more than 100x' : excess < 1.5 ? `${excess.toFixed(6)}x` : `${excess.toFixed(1)}x`;
  return (
    `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, ` +
    'and maxLength where arrays, maps, and strings are declared)'
  );
}

/**
 * Where one schema node stands in its version, for the checks of its rules when a CustomResourceDefinition is
 * admitted: its type, and how often its values occur in an object at most.
 * (apiextensions pkg/apis/apiextensions/validation/cel_validation.go)
 */
export class CelSchemaContext {
  readonly #schema: JsonSchema;
  readonly #parent: CelSchemaContext | undefined;
  readonly #find: (parent: DeclType) => DeclType | undefined;
  /** Undefined: unbounded. */
  readonly #cardinality: bigint | undefined;
  readonly #withinRules: boolean;
  readonly #total: TotalCost;
  #type: DeclType | undefined;

  private constructor(
    schema: JsonSchema,
    parent: CelSchemaContext | undefined,
    find: (parent: DeclType) => DeclType | undefined,
  ) {
    this.#schema = schema;
    this.#parent = parent;
    this.#find = find;
    this.#cardinality = parent ? parent.#childCardinality() : 1n;
    this.#withinRules = (parent ? parent.#withinRules : false) || hasRules(schema);
    this.#total = parent ? parent.#total : new TotalCost();
  }

  /** For the schema of a whole version. Make it only where the structural checks of the version passed. */
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

  /** The node's type; made from its parent's where that is known, as making one from a schema is expensive. */
  #declType(): DeclType | undefined {
    if (this.#type || !this.#withinRules) return this.#type;
    const parent = this.#parent ? this.#parent.#declType() : undefined;
    this.#type = (parent && this.#find(parent)) ?? schemaDeclType(this.#schema, this.#isResource());
    return this.#type;
  }

  #isResource(): boolean {
    return this.#parent === undefined || this.#schema['x-kubernetes-embedded-resource'] === true;
  }

  /**
   * What is wrong with the node's rules: they do not compile, cost too much, or use oldSelf where old and new values
   * cannot be told to belong together. `path` is the schema's; `uncorrelatable` that of the nearest schema above for
   * which that holds. Adds to the version's total.
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
    return compileRules(this.#schema, type).flatMap((compiled, i) =>
      this.#checkRule(compiled, at.index(i), uncorrelatable),
    );
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
        errors.push(
          forbidden(atMessage, costMessage('estimated messageExpression cost', messageCost, staticEstimatedCostLimit)),
        );
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

  /** After all nodes were checked, for the schema at `path`: the rules together cost too much, these the most. */
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

/** A rule as an error shows it: upstream writes its internal form. */
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

/** How many values of a child one value has at most; undefined: any number. */
function maxElements(schema: JsonSchema): bigint | undefined {
  const bound = (limit: number | bigint | undefined): bigint | undefined =>
    limit === undefined ? undefined : limit < 0 ? 0n : BigInt(limit);
  if (schema.type === 'array') return bound(schema.maxItems);
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  return isMap ? bound(schema.maxProperties) : 1n;
}
