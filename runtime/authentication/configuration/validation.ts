import { messageOf } from '../../machinery/errors/message-of.ts';
import { quote } from '../../machinery/go/quote.ts';
import { validateDomainPrefixedPath } from '../../machinery/validation/domain-prefixed-path.ts';
import { Field } from '../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { parseCertificatePool } from '../x509/ca-bundle.ts';
import type {
  AuthenticationConfiguration,
  ClaimValidationRule,
  ExtraMapping,
  Issuer,
  JWTAuthenticator,
  PrefixedClaimOrExpression,
  UserValidationRule,
} from './authentication-configuration.ts';
import { type ClaimExpression, compileClaimExpression } from './claim-expressions.ts';

const maxAuthenticators = 64;

/** The compiled expressions of an authenticator. (authenticationcel.CELMapper) */
export interface ClaimsMapper {
  username?: ClaimExpression | undefined;
  groups?: ClaimExpression | undefined;
  uid?: ClaimExpression | undefined;
  readonly extra: { readonly key: string; readonly expression: ClaimExpression }[];
  readonly claimValidationRules: ValidationCondition[];
  readonly userValidationRules: ValidationCondition[];
}

export interface ValidationCondition {
  readonly expression: ClaimExpression;
  readonly message: string;
}

/**
 * Validates a configuration and compiles its expressions. (apiserver pkg/apis/apiserver/validation)
 *
 * @param disallowedIssuers the issuers of service accounts
 * @returns a mapper for each entry of `jwt`
 * @throws Error with all messages
 */
export function validateAuthenticationConfiguration(
  { jwt = [], anonymous }: AuthenticationConfiguration,
  disallowedIssuers: readonly string[],
): ClaimsMapper[] {
  const errors: FieldError[] = [];
  const root = Field.at(FieldPath.of('jwt'), errors);
  if (jwt.length > maxAuthenticators) root.tooMany(jwt.length, maxAuthenticators);
  const issuers = new Set<string>();
  const discoveryUrls = new Set<string>();
  const mappers = jwt.slice(0, maxAuthenticators).map((each, at) => {
    const field = root.index(at);
    const mapper = validateAuthenticator(each, field, disallowedIssuers);
    const { url = '', discoveryURL = '' } = each.issuer ?? {};
    if (issuers.has(url)) field.child('issuer', 'url').duplicate(url);
    issuers.add(url);
    if (discoveryURL !== '' && discoveryUrls.has(discoveryURL)) field.child('issuer', 'discoveryURL').duplicate(discoveryURL);
    discoveryUrls.add(discoveryURL);
    return mapper;
  });
  if (anonymous !== undefined && !anonymous.enabled && (anonymous.conditions ?? []).length > 0) {
    Field.at(FieldPath.of('anonymous', 'conditions'), errors).invalid(
      anonymous.conditions,
      'enabled should be set to true when conditions are defined',
    );
  }
  const messages = [...new Set(errors.map(fieldErrorMessage))];
  if (messages.length > 0) throw new Error(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
  return mappers;
}

function validateAuthenticator(
  { issuer = {}, claimValidationRules = [], claimMappings = {}, userValidationRules = [] }: JWTAuthenticator,
  field: Field,
  disallowedIssuers: readonly string[],
): ClaimsMapper {
  const mapper: ClaimsMapper = { extra: [], claimValidationRules: [], userValidationRules: [] };
  validateIssuer(issuer, field.child('issuer'), disallowedIssuers);
  validateClaimRules(claimValidationRules, field.child('claimValidationRules'), mapper);
  const mappings = field.child('claimMappings');
  const { username = {}, groups = {}, uid = {}, extra = [] } = claimMappings;
  mapper.username = compileMapping(username, mappings.child('username'), true);
  mapper.groups = compileMapping(groups, mappings.child('groups'), false);
  if (uid.claim && uid.expression) mappings.child('uid').invalid('', "claim and expression can't both be set");
  else if (uid.expression) mapper.uid = compile(uid.expression, mappings.child('uid', 'expression'));
  validateExtra(extra, mappings.child('extra'), mapper);
  requireVerifiedEmail(mapper, mappings.child('username', 'expression'));
  validateUserRules(userValidationRules, field.child('userValidationRules'), mapper);
  return mapper;
}

function validateIssuer(issuer: Issuer, field: Field, disallowed: readonly string[]): void {
  const { url = '', discoveryURL = '', audiences = [], audienceMatchPolicy = '', certificateAuthority = '' } = issuer;
  if (url === '') field.child('url').required();
  else validateUrl(url, field.child('url'), disallowed);
  if (discoveryURL !== '') {
    if (url !== '' && withoutSlashes(url) === withoutSlashes(discoveryURL)) {
      field.child('discoveryURL').invalid(discoveryURL, 'discoveryURL must be different from URL');
    }
    validateUrl(discoveryURL, field.child('discoveryURL'), []);
  }
  validateAudiences(audiences, audienceMatchPolicy, field);
  if (certificateAuthority !== '') {
    try {
      parseCertificatePool(certificateAuthority);
    } catch (error) {
      field.child('certificateAuthority').invalid('<omitted>', messageOf(error));
    }
  }
  const { egressSelectorType = '' } = issuer;
  if (egressSelectorType === '') return;
  const isKnown = egressSelectorType === 'controlplane' || egressSelectorType === 'cluster';
  field
    .child('egressSelectorType')
    .invalid(
      egressSelectorType,
      isKnown ? 'this server has no egress selectors' : 'egress selector must be either controlplane or cluster',
    );
}

const withoutSlashes = (url: string): string => url.replace(/\/+$/, '');

function validateUrl(url: string, field: Field, disallowed: readonly string[]): void {
  if (disallowed.includes(url)) {
    field.invalid(url, `URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(' ')}]`);
  }
  if (!URL.canParse(url)) {
    field.invalid(url, `parse ${quote(url)}: invalid URL`);
    return;
  }
  const { protocol, username, password, search, hash } = new URL(url);
  if (protocol !== 'https:') field.invalid(url, 'URL scheme must be https');
  if (username !== '' || password !== '') field.invalid(url, 'URL must not contain a username or password');
  if (search !== '') field.invalid(url, 'URL must not contain a query');
  if (hash !== '') field.invalid(url, 'URL must not contain a fragment');
}

function validateAudiences(audiences: readonly string[], policy: string, field: Field): void {
  const path = field.child('audiences');
  if (audiences.length === 0) path.required(`at least one ${path} is required`);
  for (const [at, audience] of audiences.entries()) {
    if (audience === '') path.index(at).required();
    if (audiences.indexOf(audience) < at) path.index(at).duplicate(audience);
  }
  if (audiences.length > 1 && policy !== 'MatchAny') {
    field.child('audienceMatchPolicy').invalid(policy, 'audienceMatchPolicy must be MatchAny for multiple audiences');
  }
  if (audiences.length === 1 && policy !== '' && policy !== 'MatchAny') {
    field.child('audienceMatchPolicy').invalid(policy, 'audienceMatchPolicy must be empty or MatchAny for single audience');
  }
}

function validateClaimRules(rules: readonly ClaimValidationRule[], field: Field, mapper: ClaimsMapper): void {
  const claims = new Set<string>();
  const expressions = new Set<string>();
  for (const [at, { claim = '', requiredValue = '', expression = '', message = '' }] of rules.entries()) {
    const rule = field.index(at);
    if (claim !== '' && expression !== '') rule.invalid(claim, "claim and expression can't both be set");
    else if (claim !== '') {
      if (message !== '') rule.child('message').invalid(message, 'may not be specified when claim is set');
      if (claims.has(claim)) rule.child('claim').duplicate(claim);
      claims.add(claim);
    } else if (expression === '') rule.required('claim or expression is required');
    else {
      if (requiredValue !== '') {
        rule.child('requiredValue').invalid(requiredValue, 'may not be specified when expression is set');
      }
      const compiled = compileCondition(expression, rule.child('expression'), expressions, 'claims');
      if (compiled !== undefined) mapper.claimValidationRules.push({ expression: compiled, message });
    }
  }
}

function validateUserRules(rules: readonly UserValidationRule[], field: Field, mapper: ClaimsMapper): void {
  const expressions = new Set<string>();
  for (const [at, { expression = '', message = '' }] of rules.entries()) {
    const path = field.index(at).child('expression');
    if (expression === '') path.required();
    else {
      const compiled = compileCondition(expression, path, expressions, 'user');
      if (compiled !== undefined) mapper.userValidationRules.push({ expression: compiled, message });
    }
  }
}

function validateExtra(extra: readonly ExtraMapping[], field: Field, mapper: ClaimsMapper): void {
  const keys = new Set<string>();
  for (const [at, { key = '', valueExpression = '' }] of extra.entries()) {
    const path = field.index(at).child('key');
    validateDomainPrefixedPath(key, path);
    if (key !== key.toLowerCase()) path.invalid(key, 'must be lowercase');
    if (/^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(key)) {
      path.invalid(key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use');
    }
    if (keys.has(key)) {
      path.duplicate(key);
      continue;
    }
    keys.add(key);
    const place = field.index(at).child('valueExpression');
    if (valueExpression === '') place.required();
    else {
      const expression = compile(valueExpression, place);
      if (expression !== undefined) mapper.extra.push({ key, expression });
    }
  }
}

/** Requires that expressions check claims.email_verified if the username is made from claims.email. */
function requireVerifiedEmail({ username, extra, claimValidationRules }: ClaimsMapper, field: Field): void {
  if (username === undefined || !username.readsClaim('email')) return;
  const looking = [username, ...[...extra, ...claimValidationRules].map(({ expression }) => expression)];
  if (looking.some((expression) => expression.readsClaim('email_verified'))) return;
  field.invalid(
    username.text,
    'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
  );
}

function compileMapping(
  { claim = '', prefix, expression = '' }: PrefixedClaimOrExpression,
  field: Field,
  isRequired: boolean,
): ClaimExpression | undefined {
  if (claim !== '' && expression !== '') field.invalid('', "claim and expression can't both be set");
  else if (expression !== '') {
    if (prefix !== undefined) field.child('prefix').invalid(prefix, 'may not be specified when expression is set');
    return compile(expression, field.child('expression'));
  } else if (claim !== '') {
    if (prefix !== undefined) return undefined;
    field.child('prefix').required('prefix is required when claim is set. It can be set to an empty string to disable prefixing');
  } else if (isRequired) field.required('claim or expression is required');
  return undefined;
}

const compile = (text: string, field: Field): ClaimExpression | undefined =>
  orProblem(compileClaimExpression(text, 'claims', false), text, field);

/** Compiles a condition, and refuses one that was seen before. */
function compileCondition(text: string, field: Field, seen: Set<string>, variable: 'claims' | 'user'): ClaimExpression | undefined {
  if (seen.has(text)) {
    field.duplicate(text);
    return undefined;
  }
  seen.add(text);
  return orProblem(compileClaimExpression(text, variable, true), text, field);
}

function orProblem(compiled: ReturnType<typeof compileClaimExpression>, text: string, field: Field): ClaimExpression | undefined {
  if (!('error' in compiled)) return compiled;
  field.invalid(text, compiled.error);
  return undefined;
}
