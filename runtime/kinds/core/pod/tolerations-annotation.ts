import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Field } from '../../../machinery/validation/field.ts';
import { validateTolerations } from './scheduling.ts';

export const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';

/** (pkg/apis/core/validation, ValidateTolerationsInPodAnnotations) */
export function validateTolerationsInPodAnnotations(text: string, field: Field): void {
  const tolerations = tolerationsOf(text);
  if (typeof tolerations === 'string') field.invalid(tolerationsAnnotation, tolerations);
  else validateTolerations(tolerations, field.child(tolerationsAnnotation));
}

type Toleration = Unvalidated<core.Toleration>;

/** Returns the tolerations, or the error of Go's decoder. (GetTolerationsFromPodAnnotations) */
function tolerationsOf(text: string): Toleration[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const first = text.trimStart()[0];
    return first === undefined || '{["'.includes(first)
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
  if (value === null) return [];
  if (!Array.isArray(value)) return mistyped(value, 'value of type []core.Toleration');
  const tolerations: Toleration[] = [];
  for (const item of value) {
    const toleration = tolerationOf(item);
    if (typeof toleration === 'string') return toleration;
    tolerations.push(toleration);
  }
  return tolerations;
}

/** The internal type has no JSON names. Go finds its members in any letter case. */
const members = { key: 'Key', operator: 'Operator', value: 'Value', effect: 'Effect' } as const;
const types = { key: 'string', operator: 'core.TolerationOperator', value: 'string', effect: 'core.TaintEffect' };

function tolerationOf(item: unknown): Toleration | string {
  if (item === null) return {};
  if (typeof item !== 'object' || Array.isArray(item)) return mistyped(item, 'value of type core.Toleration');
  const given = new Map(Object.entries(item).map(([name, value]) => [name.toLowerCase(), value]));
  const toleration: Toleration = {};
  for (const name of ['key', 'operator', 'value', 'effect'] as const) {
    const value: unknown = given.get(name) ?? '';
    if (typeof value !== 'string') return mistyped(value, `struct field Toleration.${members[name]} of type ${types[name]}`);
    toleration[name] = value;
  }
  const seconds: unknown = given.get('tolerationseconds') ?? undefined;
  if (seconds === undefined) return toleration;
  if (typeof seconds !== 'number') return mistyped(seconds, 'struct field Toleration.TolerationSeconds of type int64');
  return { ...toleration, tolerationSeconds: seconds };
}

function mistyped(value: unknown, where: string): string {
  const type = typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${Array.isArray(value) ? 'array' : type} into Go ${where}`;
}
