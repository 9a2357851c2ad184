import type * as authorization from '../../../generated/v1.35/authorization.k8s.io/v1/types.ts';
import type { Authorizer, AuthorizerAttributes, UserRules } from '../../authorization/authorizer.ts';
import { badRequest, invalid } from '../../machinery/errors/status.ts';
import { GoStruct } from '../../machinery/go/value.ts';
import { defined } from '../../machinery/json/defined.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { selectorTexts, validateSelectorAttributes } from './selector-attributes.ts';

/** Access reviews. (pkg/registry/authorization, pkg/apis/authorization/validation) */

interface HasMetadata {
  metadata: ObjectMeta;
}
type SelfSubjectAccessReview = authorization.SelfSubjectAccessReview & HasMetadata;
/** LocalSubjectAccessReview has the same members. */
type SubjectAccessReview = authorization.SubjectAccessReview & HasMetadata;
type SelfSubjectRulesReview = authorization.SelfSubjectRulesReview & HasMetadata;

/** Reviews whether the user of the request may do something. (selfsubjectaccessreview) */
export const newSelfSubjectAccessReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SelfSubjectAccessReview, { user }): Promise<SelfSubjectAccessReview> {
    const { spec = {} } = review;
    const root = Field.at(FieldPath.root, []);
    validateSelfSubjectAccessReviewSpec(spec, root.child('spec'));
    validateMetadata(review, root.child('metadata'));
    throwIfInvalid(root.errors);
    return { ...review, status: await authorize(spec, user, authorizer) };
  },
});

/** Reviews whether a given user may do something. (subjectaccessreview) */
export const newSubjectAccessReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SubjectAccessReview): Promise<SubjectAccessReview> {
    const { spec = {} } = review;
    const root = Field.at(FieldPath.root, []);
    validateSubjectAccessReviewSpec(spec, root.child('spec'));
    validateMetadata(review, root.child('metadata'));
    throwIfInvalid(root.errors);
    return { ...review, status: await authorize(spec, userOf(spec), authorizer) };
  },
});

/** Reviews whether a given user may do something in the namespace of the request. (localsubjectaccessreview) */
export const newLocalSubjectAccessReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SubjectAccessReview, { namespace }): Promise<SubjectAccessReview> {
    const { spec = {} } = review;
    const root = Field.at(FieldPath.root, []);
    validateSubjectAccessReviewSpec(spec, root.child('spec'));
    validateMetadata(review, root.child('metadata'), namespace);
    validateLocalAttributes(spec, namespace, root.child('spec'));
    throwIfInvalid(root.errors);
    if (namespace === '') throw badRequest('namespace is required on this type: ');
    return { ...review, status: await authorize(spec, userOf(spec), authorizer) };
  },
});

/** Lists the permissions of the request's user in a namespace. (selfsubjectrulesreview) */
export const newSelfSubjectRulesReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SelfSubjectRulesReview, { user }) {
    const { namespace = '' } = review.spec ?? {};
    if (namespace === '') throw badRequest('no namespace on request');
    const { evaluationErrors: _, ...rules }: UserRules = (await authorizer.rulesFor?.(user, namespace)) ?? {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'the authorizer does not support user rule resolution',
    };
    // a new object, without the question
    const { kind, apiVersion } = review;
    return { ...defined({ kind, apiVersion }), metadata: {}, spec: {}, status: structuredClone(rules) };
  },
});

/** @param namespace the only namespace that the metadata may name; absent for a review without one */
function validateMetadata({ metadata }: HasMetadata, field: Field, namespace?: string): void {
  const { managedFields, namespace: own, ...others } = metadata;
  if (semanticDeepEqual(others, {}) && (namespace !== undefined || !own)) return;
  field.invalid(metadata, namespace === undefined ? 'must be empty' : 'must be empty except for namespace');
}

/** (ValidateLocalSubjectAccessReview) */
function validateLocalAttributes(
  { resourceAttributes, nonResourceAttributes }: authorization.SubjectAccessReviewSpec,
  namespace: string,
  field: Field,
): void {
  const attributed = resourceAttributes?.namespace ?? '';
  if (resourceAttributes !== undefined && attributed !== namespace) {
    field.child('resourceAttributes', 'namespace').invalid(attributed, 'must match metadata.namespace');
  }
  if (nonResourceAttributes !== undefined) {
    const detail = 'disallowed on this kind of request';
    field.child('nonResourceAttributes').invalid(internalAttributes(nonResourceAttributes), detail);
  }
}

/** Returns the attributes as Go prints the internal object. */
const internalAttributes = ({ path = '', verb = '' }: authorization.NonResourceAttributes): GoStruct =>
  new GoStruct(() => ({ Path: path, Verb: verb }));

/** Upstream's error names neither kind nor name, because it validates an internal object. @throws StatusError 422 */
function throwIfInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
}

function validateSelfSubjectAccessReviewSpec(spec: authorization.SelfSubjectAccessReviewSpec, field: Field): void {
  validateAttributesOfSpec(spec, field);
  validateSelectors(spec, field);
}

function validateSelectors({ resourceAttributes }: authorization.SelfSubjectAccessReviewSpec, field: Field): void {
  if (resourceAttributes !== undefined) validateSelectorAttributes(resourceAttributes, field.child('resourceAttributes'));
}

function validateAttributesOfSpec(
  { resourceAttributes, nonResourceAttributes }: authorization.SelfSubjectAccessReviewSpec,
  field: Field,
): void {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    field.child('nonResourceAttributes').invalid(internalAttributes(nonResourceAttributes), detail);
  } else if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    field.child('resourceAttributes').invalid(resourceAttributes, detail);
  }
}

function validateSubjectAccessReviewSpec(spec: authorization.SubjectAccessReviewSpec, field: Field): void {
  validateAttributesOfSpec(spec, field);
  const { user = '', groups = [] } = spec;
  if (user === '' && groups.length === 0) {
    field.child('user').invalid(user, 'at least one of user or group must be specified');
  }
  validateSelectors(spec, field);
}

const userOf = ({ user: name = '', uid = '', groups = [], extra = {} }: authorization.SubjectAccessReviewSpec): UserInfo => ({
  name,
  uid,
  groups,
  extra,
});

/** (pkg/registry/authorization/util/helpers.go) */
function authorizationAttributesFrom(
  { resourceAttributes, nonResourceAttributes }: authorization.SelfSubjectAccessReviewSpec,
  user: UserInfo,
): AuthorizerAttributes {
  if (resourceAttributes !== undefined) return resourceAttributesFrom(user, resourceAttributes);
  return {
    user,
    verb: nonResourceAttributes?.verb ?? '',
    path: nonResourceAttributes?.path ?? '',
    isResourceRequest: false,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
  };
}

function resourceAttributesFrom(user: UserInfo, attributes: authorization.ResourceAttributes): AuthorizerAttributes {
  const { verb = '', group = '', version = '', resource = '', subresource = '' } = attributes;
  const { namespace = '', name = '' } = attributes;
  const { fieldSelector, labelSelector } = selectorTexts(attributes);
  return {
    user,
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    version: version === '' ? '*' : version,
    isResourceRequest: true,
    path: '',
    fieldSelector,
    labelSelector,
  };
}

async function authorize(
  spec: authorization.SelfSubjectAccessReviewSpec,
  user: UserInfo,
  authorizer: Authorizer,
): Promise<authorization.SubjectAccessReviewStatus> {
  const { decision, reason, evaluationError } = await authorizer.authorize(authorizationAttributesFrom(spec, user));
  const { errors } = selectorTexts(spec.resourceAttributes ?? {});
  const evaluationErrors = [...(evaluationError === undefined ? [] : [evaluationError]), ...errors];
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationErrors.length === 0 ? {} : { evaluationError: evaluationErrors.join('; ') }),
  };
}
