import type { SubjectAccessReviewSpec } from '../../../generated/v1.35/authorization.k8s.io/v1/types.ts';
import {
  type CelValue,
  compileExpression,
  createEnvironment,
  type Environment,
  isCelError,
  jsonValue,
  type Program,
} from '../../cel/expression.ts';
import { type DeclType, listDecl, mapDecl, objectDecl, stringDecl } from '../../cel/types/decl-type.ts';
import { formatType } from '../../cel/types/type.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';

/** A compiled condition, or its compile error in upstream's words. */
export type MatchCondition =
  | { readonly expression: string; readonly program: Program; readonly problem?: undefined }
  | { readonly expression: string; readonly problem: string };

const strings = (...names: readonly string[]): Record<string, DeclType> => Object.fromEntries(names.map((name) => [name, stringDecl]));

const requirement = objectDecl('kubernetes.SelectorRequirement', {
  ...strings('key', 'operator'),
  values: listDecl(stringDecl),
});

const selector = (name: string): DeclType => objectDecl(name, { rawSelector: stringDecl, requirements: listDecl(requirement) });

/** The type of `request` in conditions. (apiserver pkg/authorization/cel/compile.go buildRequestType) */
const requestType = objectDecl('kubernetes.SubjectAccessReviewSpec', {
  resourceAttributes: objectDecl('kubernetes.ResourceAttributes', {
    ...strings('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
    fieldSelector: selector('kubernetes.FieldSelectorAttributes'),
    labelSelector: selector('kubernetes.LabelSelectorAttributes'),
  }),
  nonResourceAttributes: objectDecl('kubernetes.NonResourceAttributes', strings('path', 'verb')),
  ...strings('user', 'uid'),
  groups: listDecl(stringDecl),
  extra: mapDecl(listDecl(stringDecl)),
});

let environment: Environment | undefined;

/** Compiles a condition on the variable `request`. */
export function compileMatchCondition(expression: string): MatchCondition {
  environment ??= createEnvironment({ variables: { request: requestType } });
  const compiled = compileExpression(expression, environment);
  if (compiled.program === undefined) {
    const { issues, failure } = compiled;
    const problem = issues === undefined ? `program instantiation failed: ${failure}` : `compilation failed: ${issues}`;
    return { expression, problem };
  }
  const { outputType, program } = compiled;
  if (outputType.kind === 'bool') return { expression, program };
  return { expression, problem: `must evaluate to bool but got ${formatType(outputType)}` };
}

/**
 * Reports whether every condition holds for a request. A false condition decides, even if others fail.
 *
 * @throws Error with the errors of all conditions, if none is false
 */
export function matchesAll(programs: readonly MatchProgram[], spec: SubjectAccessReviewSpec): boolean {
  if (programs.length === 0) return true;
  const request = jsonValue(requestOf(spec));
  const errors: string[] = [];
  for (const { expression, program } of programs) {
    const { value } = program.evaluate({ request });
    if (value === false) return false;
    if (value !== true) errors.push(`cel evaluation error: expression '${expression}' ${problemOf(value)}`);
  }
  if (errors.length === 0) return true;
  throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
}

export type MatchProgram = Extract<MatchCondition, { readonly program: Program }>;

function problemOf(value: CelValue): string {
  return isCelError(value) ? `resulted in error: ${value.message}` : 'eval result type should be bool';
}

/**
 * Returns the value of `request`. All strings are present, even if the review leaves them out.
 * (convertObjectToUnstructured)
 */
function requestOf(spec: SubjectAccessReviewSpec): Json {
  const { user = '', uid = '', groups = [], extra = {}, resourceAttributes, nonResourceAttributes } = spec;
  const resource = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };
  const request = {
    user,
    uid,
    groups,
    extra,
    ...(resourceAttributes && { resourceAttributes: { ...resource, ...resourceAttributes } }),
    ...(nonResourceAttributes && { nonResourceAttributes: { path: '', verb: '', ...nonResourceAttributes } }),
  };
  // the members come from a JSON type
  return request as object as JsonObject;
}
