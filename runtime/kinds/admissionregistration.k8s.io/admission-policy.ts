import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type * as v1beta1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1beta1/types.ts';
import { CompositionEnvironment, type NamedExpression } from '../../cel/admission/composition.ts';
import { admissionEnvironment, type OptionalVariables } from '../../cel/admission/environment.ts';
import { jsonPatchType } from '../../cel/mutation/json-patch-value.ts';
import { objectType } from '../../cel/mutation/object-value.ts';
import { boolType, listOf, nullType, stringType } from '../../cel/types/type.ts';
import { shareEventLoopBudget } from '../../machinery/event-loop/budget.ts';
import { GoStruct } from '../../machinery/go/value.ts';
import { parseGroupVersion } from '../../machinery/gvk.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dns1035Label, dnsSubdomain, labelKey } from '../../machinery/validation/name-formats.ts';
import { validateEnum, validateFormat, validateRequiredEnum } from '../validation/fields.ts';
import { internal, type Shape } from '../validation/internal-value.ts';
import { validateExpression, validateMatchConditions, validateVariables } from './expressions.ts';
import { validateMatchResources, validateMutatingOperations } from './match-resources.ts';

/** Admission policies. (pkg/apis/admissionregistration/validation) */

type ValidatingAdmissionPolicy = Unvalidated<v1.ValidatingAdmissionPolicy>;
type MutatingAdmissionPolicy = Unvalidated<v1beta1.MutatingAdmissionPolicy>;
type PolicySpec = Pick<
  NonNullable<ValidatingAdmissionPolicy['spec'] & MutatingAdmissionPolicy['spec']>,
  'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
>;

/** Returns the environment of an expression that may use the variables of its policy. */
type EnvironmentOf = (optional: Omit<OptionalVariables, 'params'>) => ReturnType<typeof admissionEnvironment>;

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const maxAuditAnnotations = 20;
const auditAnnotationShape: Shape = { key: '', valueExpression: '' };
/** The maximum length in bytes. */
const maxValueExpressionLength = 5 * 1024;

/** @param old undefined on creation; its unchanged match conditions may stay */
export function validateValidatingAdmissionPolicy(
  policy: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  field: Field,
): void {
  shareEventLoopBudget(() => validateValidating(policy, old, field));
}

function validateValidating(
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy | undefined,
  field: Field,
): void {
  const validations = spec.validations ?? [];
  const auditAnnotations = spec.auditAnnotations ?? [];
  const at = field.child('spec');
  const composes = (spec.variables ?? []).length > 0;
  const environmentOf = validatePolicySpec(spec, { old: old?.spec, composes }, at);
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    at.child('validations').required(detail);
    at.child('auditAnnotations').required(detail);
    return;
  }
  for (const [index, validation] of validations.entries()) {
    validateValidation(validation, environmentOf, at.child('validations').index(index));
  }
  const annotations = at.child('auditAnnotations');
  if (auditAnnotations.length > maxAuditAnnotations) {
    const shown = new GoStruct(() => Object(internal(auditAnnotations, auditAnnotationShape)));
    annotations.invalid(shown, `must not have more than ${maxAuditAnnotations} auditAnnotations`);
  }
  const keys = new Set<string>();
  for (const [index, annotation] of auditAnnotations.entries()) {
    const { key = '' } = annotation;
    validateAuditAnnotation(annotation, { policyName: metadata?.name ?? '', environmentOf }, annotations.index(index));
    if (keys.has(key)) annotations.index(index).child('key').duplicate(key);
    keys.add(key);
  }
}

/** @param old undefined on creation; its unchanged match conditions may stay */
export function validateMutatingAdmissionPolicy(
  policy: MutatingAdmissionPolicy,
  old: MutatingAdmissionPolicy | undefined,
  field: Field,
): void {
  shareEventLoopBudget(() => validateMutating(policy, old, field));
}

function validateMutating({ spec = {} }: MutatingAdmissionPolicy, old: MutatingAdmissionPolicy | undefined, field: Field): void {
  const { reinvocationPolicy } = spec;
  const mutations = spec.mutations ?? [];
  const at = field.child('spec');
  const environmentOf = validatePolicySpec(spec, { old: old?.spec, composes: true, mutates: true }, at);
  if (mutations.length === 0) at.child('mutations').required('mutations must contain at least one item');
  for (const [index, mutation] of mutations.entries()) {
    validateMutation(mutation, environmentOf, at.child('mutations').index(index));
  }
  validateRequiredEnum(reinvocationPolicy, ['IfNeeded', 'Never'], at.child('reinvocationPolicy'));
}

interface PolicySpecOptions {
  readonly old: PolicySpec | undefined;
  /** Whether expressions can use `variables`. */
  readonly composes: boolean;
  /** Whether the policy mutates objects. */
  readonly mutates?: boolean;
}

/**
 * Validates the common part of both kinds of policies. Unchanged match conditions stay valid if the kind of parameters
 * is unchanged.
 */
function validatePolicySpec(spec: PolicySpec, options: PolicySpecOptions, field: Field): EnvironmentOf {
  const { failurePolicy, paramKind, matchConstraints, matchConditions } = spec;
  const { old, composes, mutates = false } = options;
  const variables = spec.variables ?? [];
  const params = paramKind !== undefined;
  if (failurePolicy === undefined) field.child('failurePolicy').required();
  else validateEnum(failurePolicy, ['Fail', 'Ignore'], field.child('failurePolicy'));
  if (paramKind !== undefined) validateParamKind(paramKind, field.child('paramKind'));
  const constraints = field.child('matchConstraints');
  if (matchConstraints === undefined) constraints.required();
  else {
    validateMatchResources(matchConstraints, constraints);
    if (!matchConstraints.resourceRules?.length) constraints.child('resourceRules').required();
    if (mutates) validateMutatingOperations(matchConstraints, constraints);
  }
  const areOld = old !== undefined && equalPruned(paramKind, old.paramKind) && equalPruned(matchConditions, old.matchConditions);
  if (!areOld) validateMatchConditions(matchConditions ?? [], params, field.child('matchConditions'));
  const named = variables.map(({ name = '', expression = '' }): NamedExpression => ({ name, expression }));
  const composition = new CompositionEnvironment(named, { params, authorizer: true });
  validateVariables(variables, composition, field.child('variables'));
  return (optional) => (composes ? composition.of({ params, ...optional }) : admissionEnvironment({ params, ...optional }));
}

function validateParamKind({ apiVersion = '', kind = '' }: Unvalidated<v1.ParamKind>, field: Field): void {
  const version = field.child('apiVersion');
  if (apiVersion === '') version.required();
  else {
    const parsed = apiVersion === '/' ? { group: '', version: '' } : parseGroupVersion(apiVersion);
    if (parsed === undefined) version.invalid(apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
    else {
      const problems = parsed.group === '' ? [] : dnsSubdomain(parsed.group);
      if (problems.length > 0) version.invalid(parsed.group, problems.join(','));
      const versionProblems = dns1035Label(parsed.version);
      if (parsed.version === '') version.invalid(apiVersion, 'version must be specified');
      else if (versionProblems.length > 0) version.invalid(parsed.version, versionProblems.join(','));
    }
  }
  const problems = dns1035Label(kind.toLowerCase());
  if (kind === '') field.child('kind').required();
  else if (problems.length > 0) {
    field.child('kind').invalid(kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
  }
}

function validateValidation(
  { expression = '', message = '', messageExpression = '', reason }: Unvalidated<v1.Validation>,
  environmentOf: EnvironmentOf,
  field: Field,
): void {
  const at = field.child('expression');
  if (expression.trim() === '') at.required('expression is not specified');
  else validateExpression(expression, { types: [boolType], environment: environmentOf({ authorizer: true }) }, at);
  const messageAt = field.child('messageExpression');
  if (messageExpression.trim() !== '') {
    validateExpression(messageExpression, { types: [stringType], environment: environmentOf({}) }, messageAt);
  } else if (messageExpression !== '') messageAt.invalid(messageExpression, 'must be non-empty if specified');
  if (message !== '' && message.trim() === '') {
    field.child('message').invalid(message, 'must be non-empty if specified');
  } else if (/[\n\r]/.test(message.trim())) {
    field.child('message').invalid(message, 'must not contain line breaks');
  }
  if (reason !== undefined) validateEnum(reason, reasons, field.child('reason'));
}

function validateAuditAnnotation(
  { key = '', valueExpression = '' }: Unvalidated<v1.AuditAnnotation>,
  { policyName, environmentOf }: { readonly policyName: string; readonly environmentOf: EnvironmentOf },
  field: Field,
): void {
  if (policyName !== '') validateFormat(`${policyName}/${key}`, labelKey, field.child('key'));
  else field.child('key').invalid(key, 'requires metadata.name be non-empty');
  const at = field.child('valueExpression');
  const text = valueExpression.trim();
  if (text === '') at.required('valueExpression is not specified');
  else if (Buffer.byteLength(text) > maxValueExpressionLength) {
    at.required(`must not exceed ${maxValueExpressionLength} bytes in length`);
  } else {
    const environment = environmentOf({ authorizer: true });
    validateExpression(text, { types: [stringType, nullType], environment }, at, valueExpression);
  }
}

const patches = {
  ApplyConfiguration: { member: 'applyConfiguration', type: objectType, other: 'jsonPatch' },
  JSONPatch: { member: 'jsonPatch', type: listOf(jsonPatchType), other: 'applyConfiguration' },
} as const;
const patchKinds = ['ApplyConfiguration', 'JSONPatch'] as const;

function validateMutation(mutation: Unvalidated<v1beta1.Mutation>, environmentOf: EnvironmentOf, field: Field): void {
  const { patchType = '' } = mutation;
  validateRequiredEnum(patchType, patchKinds, field.child('patchType'));
  const kind = patchKinds.find((one) => one === patchType);
  if (kind === undefined) return;
  const { member, type, other } = patches[kind];
  const patch = mutation[member];
  if (patch === undefined) field.child(member).required(`must be specified when patchType is ${patchType}`);
  else {
    const expression = patch.expression?.trim() ?? '';
    const at = field.child(member, 'expression');
    const environment = environmentOf({ authorizer: true, patchTypes: true });
    if (expression === '') at.required();
    else validateExpression(expression, { types: [type], environment }, at);
  }
  if (mutation[other] !== undefined) {
    field.child(other).invalid(`{${other}}`, `must not be specified when patchType is ${patchType}`);
  }
}
