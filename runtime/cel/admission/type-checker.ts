import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { compileExpression, createEnvironment, type Environment } from '../expression.ts';
import { authorizerType } from '../library/authorizer.ts';
import { schemaDeclType } from '../types/decl-type.ts';
import { CompositionEnvironment, type NamedExpression } from './composition.ts';
import { namespaceType, requestType } from './declarations.ts';

interface CheckedTypes {
  /** The schema of `object` and `oldObject`. */
  readonly object: JsonSchema;
  /** The schema of `params`; undefined if there are none, or their schema is unknown. */
  readonly params: JsonSchema | undefined;
  readonly variables: readonly NamedExpression[];
}

/**
 * Finds type errors in expressions about objects of one kind with a known schema. The type of
 * `authorizer.requestResource` stays unknown, as upstream. (policy/validating TypeChecker)
 */
export class TypeChecker {
  readonly #environment: Environment;

  constructor({ object, params, variables }: CheckedTypes) {
    const base = typedEnvironment(object, params);
    const optional = { params: params !== undefined, authorizer: true };
    this.#environment = new CompositionEnvironment(variables, optional, () => base).of(optional);
  }

  /** Returns the problems as cel-go displays them; undefined if there are none. */
  check(expression: string): string | undefined {
    return compileExpression(expression, this.#environment).issues;
  }
}

function typedEnvironment(object: JsonSchema, params: JsonSchema | undefined): Environment {
  const declared = schemaDeclType(object, true);
  const declaredParams = params && schemaDeclType(params, true);
  const typed = createEnvironment({
    variables: {
      ...(declared && { object: declared }),
      ...(declaredParams && { params: declaredParams }),
      namespaceObject: namespaceType,
      request: requestType,
      authorizer: authorizerType,
    },
  });
  const type = typed.variable('object')?.type;
  return type === undefined ? typed : typed.extend({ oldObject: type });
}
