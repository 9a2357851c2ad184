import type { ParamKind, ParamRef } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import { type GroupVersionKind, parseGroupVersion } from '../../machinery/gvk.ts';
import { equalPruned } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RegistryEntry } from '../../resources/registry.ts';
import type { RESTStrategies, RESTStrategy, WriteContext } from '../../resources/rest.ts';
import { isEscalationAllowed } from '../rbac.authorization.k8s.io/policy-based.ts';
import { validateMutatingAdmissionPolicy, validateValidatingAdmissionPolicy } from './admission-policy.ts';
import { validateMutatingAdmissionPolicyBinding, validateValidatingAdmissionPolicyBinding } from './admission-policy-binding.ts';
import { validateValidatingAdmissionPolicyStatus } from './policy-status.ts';

/**
 * The writer of a policy or a binding must be allowed to read its parameters, because expressions could reveal them.
 * (pkg/registry/admissionregistration authz.go)
 */

export interface ParamAccessOptions {
  readonly authorizer: Authorizer;
  /** Finds the resource of a kind. */
  readonly kinds: {
    mapping(kind: GroupVersionKind): RegistryEntry | undefined | Promise<RegistryEntry | undefined>;
  };
}

type Policy = KubeObject & { readonly spec?: { readonly paramKind?: ParamKind } };
type Binding = KubeObject & { readonly spec?: { readonly policyName?: string; readonly paramRef?: ParamRef } };

const group = 'admissionregistration.k8s.io';

/** The strategies of policies and bindings, by "group/plural". */
export const policyStrategies = (options: ParamAccessOptions): RESTStrategies => ({
  [`${group}/validatingadmissionpolicies`]: strategyOf(
    'paramKind',
    (policy, old, context) => policyProblem(policy, old, context, options),
    validateValidatingAdmissionPolicy,
    validateValidatingAdmissionPolicyStatus,
  ),
  [`${group}/validatingadmissionpolicybindings`]: strategyOf(
    'paramRef',
    (binding, old, context) =>
      bindingProblem(binding, old, context, { ...options, policies: 'validatingadmissionpolicies', version: 'v1' }),
    validateValidatingAdmissionPolicyBinding,
  ),
  [`${group}/mutatingadmissionpolicies`]: strategyOf(
    'paramKind',
    (policy, old, context) => policyProblem(policy, old, context, options),
    validateMutatingAdmissionPolicy,
  ),
  [`${group}/mutatingadmissionpolicybindings`]: strategyOf(
    'paramRef',
    (binding, old, context) =>
      bindingProblem(binding, old, context, { ...options, policies: 'mutatingadmissionpolicies', version: 'v1beta1' }),
    validateMutatingAdmissionPolicyBinding,
  ),
});

type FindProblem = (object: KubeObject, old: KubeObject | undefined, context: WriteContext) => Promise<string | undefined>;

/** @param old undefined on creation */
type Validate = (object: KubeObject, old: KubeObject | undefined, field: Field) => void;
type ValidateStatus = (status: object, field: Field) => void;

/** Checks the access before validation, which cannot wait. The check refuses only objects without other errors. */
function strategyOf(member: string, findProblem: FindProblem, validate: Validate, validateStatus?: ValidateStatus): RESTStrategy {
  const problems = new WeakMap<KubeObject, string>();
  const prepare = async (object: KubeObject, old: KubeObject | undefined, context: WriteContext): Promise<void> => {
    if (context.part !== 'main' || isEscalationAllowed(context)) return;
    const problem = await findProblem(object, old, context);
    if (problem !== undefined) problems.set(object, problem);
  };
  const validateAll = (object: KubeObject, old: KubeObject | undefined, errors: FieldError[]): void => {
    const root = Field.at(FieldPath.root, errors);
    validate(object, old, root);
    const problem = problems.get(object);
    if (problem !== undefined && errors.length === 0) root.child('spec', member).forbidden(problem);
  };
  return {
    prepareForCreate: (object, context) => prepare(object, undefined, context),
    prepareForUpdate: prepare,
    validateCreate: (object, errors) => validateAll(object, undefined, errors),
    validateUpdate(object: KubeObject & { readonly status?: object }, old, errors, { part }) {
      if (part === 'main') validateAll(object, old, errors);
      else validateStatus?.(object.status ?? {}, Field.at(FieldPath.of('status'), errors));
    },
  };
}

async function policyProblem(
  { spec }: Policy,
  old: Policy | undefined,
  context: WriteContext,
  options: ParamAccessOptions,
): Promise<string | undefined> {
  const { paramKind } = spec ?? {};
  if (paramKind === undefined || equalPruned(paramKind, old?.spec?.paramKind)) return undefined;
  const { kind = '', apiVersion = '' } = paramKind;
  const wanted = { ...(await resourceOf(paramKind, options)), verb: 'get', namespace: '*', name: '*' };
  if (await isAllowed(wanted, context, options)) return undefined;
  const what = `"get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  return `user ${goUser(context)} must have ${what}`;
}

async function bindingProblem(
  { spec }: Binding,
  old: Binding | undefined,
  context: WriteContext,
  options: ParamAccessOptions & { readonly policies: string; readonly version: string },
): Promise<string | undefined> {
  const { paramRef, policyName = '' } = spec ?? {};
  if (paramRef === undefined) return undefined;
  if (policyName === old?.spec?.policyName && isSameReference(paramRef, old?.spec?.paramRef)) return undefined;
  const { collection, definition } = await context.stores.byResource(group, options.version, options.policies);
  const stored = collection.latest().get('', policyName);
  const policy: Policy | undefined = stored && definition.conversion.fromStorage(stored.decode());
  const { name = '', namespace = '' } = paramRef;
  const verb = name === '' ? 'list' : 'get';
  const wanted = { ...(await resourceOf(policy?.spec?.paramKind, options)), verb, namespace, name };
  if (await isAllowed(wanted, context, options)) return undefined;
  const missing = missingFact(policyName, policy, wanted);
  if (missing === undefined) {
    return `user ${goUser(context)} does not have "${verb}" permission on the object referenced by paramRef`;
  }
  const permission = `"${verb}" permission for all groups, versions and resources`;
  return `unable to ${missing} to determine minimum required permissions and user ${goUser(context)} does not have ${permission}`;
}

/** Go compares selector and parameterNotFoundAction as pointers, which are equal only if both are nil. */
function isSameReference(paramRef: ParamRef, old: ParamRef | undefined): boolean {
  const hasPointer = [paramRef, old].some((one) => one?.selector ?? one?.parameterNotFoundAction);
  return !hasPointer && equalPruned(paramRef, old);
}

/**
 * Returns the missing fact about the parameters. Returns undefined if their resource is known, or the policy has none.
 */
function missingFact(policyName: string, policy: Policy | undefined, { group, resource }: WantedAccess): string | undefined {
  if (policy === undefined) return `get policy ${policyName}`;
  const { paramKind } = policy.spec ?? {};
  if (paramKind === undefined || resource !== '*') return undefined;
  const { apiVersion = '', kind = '' } = paramKind;
  return `${group === '*' ? 'parse' : 'resolve'} paramKind &{${apiVersion} ${kind}}`;
}

/** Returns the resource of a kind, with `*` for unknown parts. */
async function resourceOf(paramKind: ParamKind | undefined, { kinds }: ParamAccessOptions) {
  const parsed = paramKind && parseGroupVersion(paramKind.apiVersion ?? '');
  if (parsed === undefined) return { group: '*', version: '*', resource: '*' };
  const entry = await kinds.mapping({ ...parsed, kind: paramKind?.kind ?? '' });
  return { ...parsed, resource: entry?.facts.resource ?? '*' };
}

interface WantedAccess {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

async function isAllowed(wanted: WantedAccess, { user }: WriteContext, { authorizer }: ParamAccessOptions) {
  const attributes = { ...wanted, user, isResourceRequest: true, path: '', subresource: '' };
  return (await authorizer.authorize(attributes)).decision === 'allow';
}

/** Formats a user as Go prints the struct. */
function goUser({ user }: WriteContext): string {
  const extra = Object.entries(user.extra)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${user.name} ${user.uid} [${user.groups.join(' ')}] map[${extra.join(' ')}]}`;
}
