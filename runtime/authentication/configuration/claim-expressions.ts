import { compileExpression, createEnvironment, type Environment, isCelError, type Program } from '../../cel/expression.ts';
import { listDecl, mapDecl, objectDecl, stringDecl } from '../../cel/types/decl-type.ts';
import { dynType, mapOf, stringType } from '../../cel/types/type.ts';
import { ValueList } from '../../cel/values/list.ts';
import { ValueMap } from '../../cel/values/map.ts';
import { Double, type Value } from '../../cel/values/value.ts';
import { withoutEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { AuthenticationError } from '../authenticator.ts';

/** The maximum cost of one evaluation. (apiserver pkg/apis/cel PerCallLimit) */
const perCallLimit = 1_000_000;

/** The claims of a token, or a user, in CEL. */
export type ExpressionInput = ValueMap;

/** A compiled expression on the variable `claims` or `user`. (apiserver pkg/authentication/cel) */
export interface ClaimExpression {
  readonly text: string;
  /** Reports whether the expression reads a claim by its name. */
  readsClaim(name: string): boolean;
  /** @throws AuthenticationError */
  evaluate(input: ExpressionInput): Value;
}

export interface CompileFailure {
  readonly error: string;
}

type Variable = 'claims' | 'user';

const environments = new Map<Variable, Environment>();

function environmentOf(variable: Variable): Environment {
  let environment = environments.get(variable);
  if (environment === undefined) {
    const texts = listDecl(stringDecl);
    const user = objectDecl('kubernetes.UserInfo', {
      username: stringDecl,
      uid: stringDecl,
      groups: texts,
      extra: mapDecl(texts),
    });
    const type = variable === 'claims' ? mapOf(stringType, dynType) : user;
    environment = createEnvironment({ variables: { [variable]: type } });
    environments.set(variable, environment);
  }
  return environment;
}

/** @param isCondition whether the expression must return a bool */
export function compileClaimExpression(text: string, variable: Variable, isCondition: boolean): ClaimExpression | CompileFailure {
  return withoutEventLoopBudget(() => {
    const environment = environmentOf(variable);
    const { program, issues, failure, outputType } = compileExpression(text, environment) as ReturnType<typeof compileExpression> & {
      readonly outputType?: { readonly kind: string };
    };
    if (program === undefined) {
      return {
        error: issues === undefined ? `program instantiation failed: ${failure}` : `compilation failed: ${issues}`,
      };
    }
    if (isCondition && outputType?.kind !== 'bool') return { error: 'must evaluate to bool' };
    const { ast } = environment.parse(text);
    return {
      text,
      readsClaim: (name) => readsMember(ast, name),
      evaluate: (input) => evaluate(program, text, { [variable]: input }),
    };
  });
}

function evaluate(program: Program, text: string, variables: Readonly<Record<string, Value>>): Value {
  const { value } = withoutEventLoopBudget(() => program.evaluate(variables, perCallLimit));
  if (!isCelError(value)) return value;
  throw new AuthenticationError(`expression '${text}' resulted in error: ${value.message}`);
}

/** Reports whether a syntax tree has `claims.name` or `claims.?name` anywhere. (validation.go hasSelectExp) */
function readsMember(node: unknown, member: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some((each) => readsMember(each, member));
  const { kind, operand, field, name, args } = node as {
    readonly kind?: string;
    readonly operand?: { readonly kind?: string; readonly name?: string };
    readonly field?: string;
    readonly name?: string;
    readonly args?: readonly { readonly kind?: string; readonly name?: string; readonly value?: unknown }[];
  };
  if (kind === 'select' && operand?.kind === 'ident' && operand.name === 'claims' && field === member) return true;
  if (kind === 'call' && name === '_?._' && args?.[0]?.name === 'claims' && args[1]?.value === member) return true;
  return Object.values(node).some((each) => readsMember(each, member));
}

/** Converts a value as Go's encoding/json decodes it: every number is a double. */
export function claimValue(json: unknown): Value {
  if (typeof json === 'number') return new Double(json);
  if (Array.isArray(json)) return new ValueList(json.map(claimValue));
  if (typeof json === 'object' && json !== null) return claimsInput(json as Readonly<Record<string, unknown>>);
  return json as Value;
}

export const claimsInput = (claims: Readonly<Record<string, unknown>>): ExpressionInput =>
  ValueMap.of(Object.entries(claims).map(([name, value]) => [name, claimValue(value)] as const));
