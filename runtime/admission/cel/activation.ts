import type { AdmissionExpression } from '../../cel/admission/expression.ts';
import { type CelValue, jsonValue } from '../../cel/expression.ts';
import { authorizerValue, type ExpressionAuthorizer, resourceCheckValue } from '../../cel/library/authorizer.ts';
import { perCallLimit } from '../../cel/rules/limits.ts';
import { CelError, type CelMap } from '../../cel/values/value.ts';
import type { Attributes } from '../../machinery/admission.ts';
import { quote } from '../../machinery/go/quote.ts';
import { type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { admittedNamespace } from '../predicates/namespace-matcher.ts';

/** The inputs of expressions about a write. (cel.OptionalVariableBindings, VersionedAttributes) */
export interface EvaluationInputs {
  readonly attributes: Attributes;
  /** The object at the version that the expressions were written for; undefined for DELETE. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  /** Called each time that an expression reads `request`. */
  request(): JsonObject;
  /** Default: null. */
  readonly params?: KubeObject | undefined;
  /** Called each time that an expression reads `namespaceObject`. Default: null, as for cluster-scoped objects. */
  readonly namespaceObject?: (() => JsonObject | null) | undefined;
  /** Set only for expressions that may use it. */
  readonly authorizer?: ExpressionAuthorizer | undefined;
}

/** The variables of one evaluation of several expressions. (cel.evaluationActivation) */
export class Activation {
  readonly #inputs: EvaluationInputs;
  readonly #variables: Variables | undefined;

  /** @param variables the variables of the policy */
  constructor(inputs: EvaluationInputs, variables?: ReadonlyMap<string, AdmissionExpression>) {
    this.#inputs = inputs;
    this.#variables = variables && new Variables(variables, this.resolve);
  }

  /** Returns the cost of variables that were evaluated since the last call. */
  takeVariableCost(): number {
    return this.#variables?.takeCost() ?? 0;
  }

  /** Returns the value of a variable; undefined if there is none. */
  readonly resolve = (name: string): CelValue | undefined => {
    const { attributes, object, oldObject, params, authorizer } = this.#inputs;
    switch (name) {
      case 'object':
        return objectValue(object);
      case 'oldObject':
        return objectValue(oldObject);
      case 'params':
        return objectValue(params);
      case 'request':
        return jsonValue(this.#inputs.request());
      case 'namespaceObject':
        return jsonValue(this.#inputs.namespaceObject?.() ?? null);
      case 'variables':
        return this.#variables;
      case 'authorizer':
        return authorizer && authorizerValue(authorizer);
      case 'authorizer.requestResource':
        return authorizer && requestResource(authorizer, attributes);
      default:
        return undefined;
    }
  };
}

const objectValue = (object: KubeObject | undefined): CelValue => jsonValue(object === undefined ? null : unstructuredContent(object));

function requestResource(authorizer: ExpressionAuthorizer, attributes: Attributes): CelValue {
  const { definition, subresource, name } = attributes;
  const { group, resource } = definition;
  const namespace = admittedNamespace(attributes);
  return resourceCheckValue(authorizer, { group, resource, subresource, namespace, name });
}

/** The value of `variables`. A variable is evaluated on its first read. (cel.compositionContext, lazy.MapValue) */
class Variables implements CelMap {
  readonly tag = 'map';
  readonly #expressions: ReadonlyMap<string, AdmissionExpression>;
  readonly #resolve: (name: string) => CelValue | undefined;
  readonly #values = new Map<string, CelValue>();
  #cost = 0;

  constructor(expressions: ReadonlyMap<string, AdmissionExpression>, resolve: (name: string) => CelValue | undefined) {
    this.#expressions = expressions;
    this.#resolve = resolve;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): Iterable<CelValue> {
    return this.#expressions.keys();
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const expression = this.#expressions.get(key);
    if (expression === undefined) return undefined;
    const value = this.#evaluate(key, expression);
    this.#values.set(key, value);
    return value;
  }

  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  #evaluate(name: string, { result }: AdmissionExpression): CelValue {
    if (result.program === undefined) {
      return new CelError(`composited variable ${quote(name)} fails to compile: ${result.error.detail}`);
    }
    const { value, cost } = result.program.evaluateWith(this.#resolve, perCallLimit);
    this.#cost += cost;
    if (!(value instanceof CelError)) return value;
    return new CelError(`composited variable ${quote(name)} fails to evaluate: ${value.message}`);
  }
}
