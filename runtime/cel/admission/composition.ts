import type { Environment } from '../expression.ts';
import { type DeclType, objectDecl, typeDecl } from '../types/decl-type.ts';
import { dynType } from '../types/type.ts';
import { admissionEnvironment, type OptionalVariables } from './environment.ts';
import { AdmissionExpression } from './expression.ts';

/** A variable of a policy. (admissionregistration Variable) */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/**
 * The environment of expressions that may use variables of their policy. A variable may use the variables before it.
 * (cel.CompositionEnv)
 */
export class CompositionEnvironment {
  /** The names and expressions of all variables, in order. */
  readonly all: readonly (readonly [name: string, AdmissionExpression])[];
  /** The variables that expressions see: of two with the same name the last. */
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
  readonly #fields = new Map<string, DeclType>();
  readonly #type: DeclType = { ...objectDecl('kubernetes.variables', {}), fields: this.#fields };
  readonly #environments = new Map<string, Environment>();
  readonly #baseOf: (optional: OptionalVariables) => Environment;

  /**
   * @param optional the optional variables that policy variables may use
   * @param baseOf returns the environment without policy variables. Default: the one of admission
   */
  constructor(variables: readonly NamedExpression[], optional: OptionalVariables, baseOf = admissionEnvironment) {
    this.#baseOf = baseOf;
    this.all = variables.map(({ name, expression }) => [
      name,
      new AdmissionExpression(expression, [dynType], () => this.#extended(optional)),
    ]);
    this.variables = new Map(this.all);
  }

  /** Returns the environment of an expression, after the variables. @throws EventLoopBudgetError */
  of(optional: OptionalVariables): Environment {
    for (const [name, { result }] of this.all) {
      this.#fields.set(name, typeDecl(result.outputType ?? dynType));
    }
    return this.#extended(optional);
  }

  #extended(optional: OptionalVariables): Environment {
    const key = JSON.stringify(optional);
    let environment = this.#environments.get(key);
    if (environment === undefined) {
      environment = this.#baseOf(optional).extend({ variables: this.#type });
      this.#environments.set(key, environment);
    }
    return environment;
  }
}
