import { toArray } from '../../../cel/values/list.ts';
import { isTagged, type Value } from '../../../cel/values/value.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { credentialIdKey, type UserInfo } from '../../../machinery/user-info.ts';
import { AuthenticationError } from '../../authenticator.ts';
import type { JWTAuthenticator, PrefixedClaimOrExpression } from '../../configuration/authentication-configuration.ts';
import { type ClaimExpression, claimsInput, type ExpressionInput } from '../../configuration/claim-expressions.ts';
import type { ClaimsMapper, ValidationCondition } from '../../configuration/validation.ts';

/** The payload of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Maps the claims of a token to a user, and checks both.
 *
 * @throws AuthenticationError in upstream's words
 */
export function userOfClaims(
  claims: Claims,
  { claimMappings = {}, claimValidationRules = [] }: JWTAuthenticator,
  mapper: ClaimsMapper,
): UserInfo {
  const input = claimsInput(claims);
  const user: UserInfo = {
    name: usernameOf(claims, claimMappings.username ?? {}, mapper.username, input),
    groups: groupsOf(claims, claimMappings.groups ?? {}, mapper.groups, input),
    uid: uidOf(claims, claimMappings.uid?.claim ?? '', mapper.uid, input),
    extra: extraOf(claims, mapper, input),
  };
  for (const { claim, requiredValue = '' } of claimValidationRules) {
    if (claim) requireClaim(claims, claim, requiredValue);
  }
  checkConditions(mapper.claimValidationRules, input, 'claim validation expression');
  if (mapper.userValidationRules.length > 0) {
    const { name: username, uid, groups, extra } = user;
    checkConditions(mapper.userValidationRules, claimsInput({ username, uid, groups, extra }), 'user info validation rule');
  }
  return user;
}

const hasClaim = (claims: Claims, name: string): boolean => Object.hasOwn(claims, name);

function usernameOf(
  claims: Claims,
  { claim = '', prefix = '' }: PrefixedClaimOrExpression,
  expression: ClaimExpression | undefined,
  input: ExpressionInput,
): string {
  if (expression !== undefined) {
    const name = evaluate(expression, input, 'username claim expression');
    if (typeof name !== 'string') {
      throw evaluationError('username claim expression', 'username claim expression must return a string');
    }
    if (name === '') throw new AuthenticationError('oidc: empty username via CEL expression is not allowed');
    return name;
  }
  const name = textClaim(claims, claim, `username claims "${claim}"`);
  if (claim === 'email' && hasClaim(claims, 'email_verified')) {
    const verified = claims.email_verified;
    if (typeof verified !== 'boolean') throw parseError("'email_verified' claim", 'no bool');
    if (!verified) throw new AuthenticationError('oidc: email not verified');
  }
  if (name === '') throw parseError(`username claims "${claim}"`, 'an empty name is not allowed');
  return prefix + name;
}

function groupsOf(
  claims: Claims,
  { claim = '', prefix = '' }: PrefixedClaimOrExpression,
  expression: ClaimExpression | undefined,
  input: ExpressionInput,
): readonly string[] {
  if (claim !== '' && hasClaim(claims, claim)) {
    const value = claims[claim];
    const groups = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) {
      throw parseError(`groups claim "${claim}"`, 'neither a string nor a list of strings');
    }
    return groups.map((group) => prefix + group);
  }
  if (expression === undefined) return [];
  return textsOf(evaluate(expression, input, 'group claim expression'), 'group claim expression');
}

function uidOf(claims: Claims, claim: string, expression: ClaimExpression | undefined, input: ExpressionInput): string {
  if (claim !== '') return textClaim(claims, claim, `uid claim "${claim}"`);
  if (expression === undefined) return '';
  const uid = evaluate(expression, input, 'uid claim expression');
  if (typeof uid === 'string') return uid;
  throw evaluationError('uid claim expression', 'uid claim expression must return a string');
}

function extraOf(claims: Claims, { extra: mappings }: ClaimsMapper, input: ExpressionInput): UserInfo['extra'] {
  const { jti } = claims;
  const extra: Record<string, readonly string[]> = typeof jti === 'string' && jti !== '' ? { [credentialIdKey]: [`JTI=${jti}`] } : {};
  for (const { key, expression } of mappings) {
    const values = textsOf(expression.evaluate(input), `extra claim expression: ${expression.text}`);
    if (values.length > 0) extra[key] = values;
  }
  return extra;
}

function requireClaim(claims: Claims, name: string, wanted: string): void {
  if (!hasClaim(claims, name)) throw new AuthenticationError(`oidc: required claim ${name} not present in ID token`);
  const value = claims[name];
  if (typeof value !== 'string') throw parseError(`claim ${name}`, 'no string');
  if (value === wanted) return;
  throw new AuthenticationError(`oidc: required claim ${name} value does not match. Got = ${value}, want = ${wanted}`);
}

function checkConditions(conditions: readonly ValidationCondition[], input: ExpressionInput, what: string): void {
  for (const { expression, message } of conditions) {
    const holds = evaluate(expression, input, what);
    if (holds === true) continue;
    if (holds !== false) throw evaluationError(what, 'validation expression must return a boolean');
    throw evaluationError(what, `validation expression '${expression.text}' failed: ${message}`);
  }
}

function textClaim(claims: Claims, name: string, what: string): string {
  if (!hasClaim(claims, name)) throw parseError(what, 'claim not present');
  const value = claims[name];
  if (typeof value === 'string') return value;
  throw parseError(what, 'no string');
}

function evaluate(expression: ClaimExpression, input: ExpressionInput, what: string): Value {
  try {
    return expression.evaluate(input);
  } catch (error) {
    throw evaluationError(what, messageOf(error));
  }
}

/** Returns a string or a list of strings as a list, without empty ones. */
function textsOf(value: Value, what: string): readonly string[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  const elements = isTagged(value, 'list') ? toArray(value) : undefined;
  if (elements?.every((element) => typeof element === 'string')) return elements.filter((element) => element !== '');
  throw evaluationError(what, 'expression must return a string or a list of strings');
}

const parseError = (what: string, why: string): AuthenticationError => new AuthenticationError(`oidc: parse ${what}: ${why}`);

const evaluationError = (what: string, why: string): AuthenticationError =>
  new AuthenticationError(`oidc: error evaluating ${what}: ${why}`);
