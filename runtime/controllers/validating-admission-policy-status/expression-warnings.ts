import type {
  ExpressionWarning,
  RuleWithOperations,
  ValidatingAdmissionPolicy,
} from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { TypeChecker } from '../../cel/admission/type-checker.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersionKind, type GroupVersionKind, parseGroupVersion } from '../../machinery/gvk.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import type { ResourceRegistry } from '../../resources/registry.ts';

/** Returns the schema of a kind, without references; undefined if the kind is not served. (cel/openapi/resolver) */
export type SchemaResolver = (kind: GroupVersionKind) => Promise<JsonSchema | undefined>;

const maxTypesToCheck = 10;

/**
 * Returns the warnings of type checks of a policy's expressions, for each kind that its rules name. (TypeChecker.Check)
 */
export async function expressionWarnings(
  { spec }: ValidatingAdmissionPolicy,
  registry: ResourceRegistry,
  resolveSchema: SchemaResolver,
): Promise<ExpressionWarning[]> {
  const { paramKind, variables = [], validations = [], matchConstraints } = spec ?? {};
  const { group, version } = parseGroupVersion(paramKind?.apiVersion ?? '') ?? { group: '', version: '' };
  const params = paramKind && (await resolveSchema({ group, version, kind: paramKind.kind ?? '' }));
  const checkers: [GroupVersionKind, TypeChecker][] = [];
  for (const kind of typesToCheck(matchConstraints?.resourceRules ?? [], registry)) {
    const object = await resolveSchema(kind);
    if (object !== undefined) checkers.push([kind, new TypeChecker({ object, params, variables })]);
    await yieldToEventLoop();
  }
  const warnings: ExpressionWarning[] = [];
  for (const [index, { expression, messageExpression = '' }] of validations.entries()) {
    for (const [member, text] of Object.entries({ expression, messageExpression })) {
      const found = text === '' ? [] : checkers.flatMap(([kind, checker]) => resultOf(kind, checker.check(text)));
      if (found.length === 0) continue;
      warnings.push({ fieldRef: `spec.validations[${index}].${member}`, warning: found.join('\n') });
    }
    await yieldToEventLoop();
  }
  return warnings;
}

const resultOf = (kind: GroupVersionKind, issues: string | undefined): string[] =>
  issues === undefined ? [] : [`${formatGroupVersionKind(kind)}: ${issues}\n`];

/** Returns the kinds of the resources that rules name without wildcards: at most ten, in order. */
function typesToCheck(rules: readonly RuleWithOperations[], registry: ResourceRegistry): GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    let count = 0;
    for (const { group, version, resource } of namedResources(rule)) {
      const facts = registry.lookup(group, version, resource)?.facts;
      if (facts === undefined) continue;
      const kind = { group, version, kind: facts.kind };
      found.set(sortKey(kind), kind);
      if (++count === maxTypesToCheck) return inOrder(found);
    }
  }
  return inOrder(found);
}

const sortKey = ({ group, version, kind }: GroupVersionKind): string => [group, version, kind].join('\0');

const inOrder = (found: ReadonlyMap<string, GroupVersionKind>): GroupVersionKind[] =>
  [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);

function* namedResources({ apiGroups = [], apiVersions = [], resources = [] }: RuleWithOperations) {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return;
  const plain = resources.filter((name) => !/[*/]/.test(name)).sort();
  for (const group of [...apiGroups].sort()) {
    for (const version of [...apiVersions].sort()) {
      for (const resource of plain) yield { group, version, resource };
    }
  }
}
