import { describe, expect, test } from '@jest/globals';
import type { JWTAuthenticator } from '../../../../runtime/authentication/configuration/authentication-configuration.ts';
import { validateAuthenticationConfiguration } from '../../../../runtime/authentication/configuration/validation.ts';

const issuer = { url: 'https://issuer', audiences: ['a'] };
const claimMappings = { username: { claim: 'sub', prefix: '' } };
const valid: JWTAuthenticator = { issuer, claimMappings };
const messageOf = (...jwt: readonly JWTAuthenticator[]): string => {
  try {
    validateAuthenticationConfiguration({ jwt }, ['https://accounts']);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const withIssuer = (more: object) => ({ ...valid, issuer: { ...issuer, ...more } });
const withMappings = (more: object) => ({ ...valid, claimMappings: { ...claimMappings, ...more } });
const withRule = (...claimValidationRules: object[]) => ({ ...valid, claimValidationRules });
const withUserRule = (...userValidationRules: object[]) => ({ ...valid, userValidationRules });

describe('an AuthenticationConfiguration', () => {
  test.each<[string, readonly JWTAuthenticator[]]>([
    ['no issuers', []],
    ['two issuers', [valid, { ...valid, issuer: { url: 'https://other', audiences: ['a'] } }]],
    ['expressions', [withMappings({ username: { expression: 'claims.sub' }, uid: { expression: 'claims.n' } })]],
    [
      'an email that is verified elsewhere',
      [
        {
          ...withMappings({ username: { expression: 'claims.email' } }),
          claimValidationRules: [{ expression: 'claims.?email_verified.orValue(true) == true' }],
        },
      ],
    ],
    ['rules for users', [withUserRule({ expression: "user.extra['a'].exists(x, x in user.groups)" })]],
  ])('with %s is valid', (_, jwt) => {
    expect(messageOf(...jwt)).toBe('');
  });

  test.each<[string, JWTAuthenticator, string]>([
    ['no url', withIssuer({ url: '' }), 'jwt[0].issuer.url: Required value'],
    [
      'an issuer of service accounts',
      withIssuer({ url: 'https://accounts' }),
      'jwt[0].issuer.url: Invalid value: "https://accounts": URL must not overlap with disallowed issuers: [https://accounts]',
    ],
    ['another scheme', withIssuer({ url: 'http://issuer' }), 'jwt[0].issuer.url: Invalid value: "http://issuer": URL scheme must be https'],
    ['a password', withIssuer({ url: 'https://a:b@issuer' }), 'URL must not contain a username or password'],
    ['a query', withIssuer({ url: 'https://issuer?a' }), 'URL must not contain a query'],
    ['a fragment', withIssuer({ url: 'https://issuer#a' }), 'URL must not contain a fragment'],
    [
      'the same discovery URL',
      withIssuer({ discoveryURL: 'https://issuer/' }),
      'jwt[0].issuer.discoveryURL: Invalid value: "https://issuer/": discoveryURL must be different from URL',
    ],
    [
      'no audiences',
      withIssuer({ audiences: [] }),
      'jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required',
    ],
    ['an empty audience', withIssuer({ audiences: [''] }), 'jwt[0].issuer.audiences[0]: Required value'],
    [
      'two audiences without a policy',
      withIssuer({ audiences: ['a', 'b'] }),
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    ['an unknown policy', withIssuer({ audienceMatchPolicy: 'x' }), 'audienceMatchPolicy must be empty or MatchAny for single audience'],
    [
      'a CA that is none',
      withIssuer({ certificateAuthority: 'x' }),
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
    ['an unknown egress selector', withIssuer({ egressSelectorType: 'etcd' }), 'egress selector must be either controlplane or cluster'],
    ['an egress selector', withIssuer({ egressSelectorType: 'cluster' }), 'this server has no egress selectors'],
    ['no username', { issuer }, 'jwt[0].claimMappings.username: Required value: claim or expression is required'],
    [
      'no prefix',
      withMappings({ username: { claim: 'sub' } }),
      'jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing',
    ],
    [
      'a prefix of an expression',
      withMappings({ groups: { expression: 'claims.g', prefix: '' } }),
      'jwt[0].claimMappings.groups.prefix: Invalid value: "": may not be specified when expression is set',
    ],
    [
      'claim and expression',
      withMappings({ uid: { claim: 'a', expression: 'claims.a' } }),
      `jwt[0].claimMappings.uid: Invalid value: "": claim and expression can't both be set`,
    ],
    [
      'an expression that does not compile',
      withMappings({ groups: { expression: 'claim.x' } }),
      'jwt[0].claimMappings.groups.expression: Invalid value: "claim.x": compilation failed: ERROR: <input>:1:1: undeclared reference to \'claim\'',
    ],
    [
      'an email that may not be verified',
      withMappings({ username: { expression: 'claims.email' } }),
      'claims.email_verified must be used in claimMappings.username.expression',
    ],
    [
      'a key without a domain',
      withMappings({ extra: [{ key: 'a', valueExpression: 'claims.a' }] }),
      'jwt[0].claimMappings.extra[0].key: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'a key of Kubernetes',
      withMappings({ extra: [{ key: 'a.k8s.io/a', valueExpression: 'claims.a' }] }),
      'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    ],
    ['a key in upper case', withMappings({ extra: [{ key: 'acme.io/A', valueExpression: 'claims.a' }] }), 'must be lowercase'],
    [
      'a key without a value',
      withMappings({ extra: [{ key: 'acme.io/a' }] }),
      'jwt[0].claimMappings.extra[0].valueExpression: Required value',
    ],
    ['an empty rule', withRule({}), 'jwt[0].claimValidationRules[0]: Required value: claim or expression is required'],
    [
      'a message of a claim',
      withRule({ claim: 'a', message: 'm' }),
      'jwt[0].claimValidationRules[0].message: Invalid value: "m": may not be specified when claim is set',
    ],
    ['a repeated claim', withRule({ claim: 'a' }, { claim: 'a' }), 'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"'],
    [
      'a value of an expression',
      withRule({ expression: 'true', requiredValue: 'v' }),
      'jwt[0].claimValidationRules[0].requiredValue: Invalid value: "v": may not be specified when expression is set',
    ],
    [
      'a rule that is no bool',
      withRule({ expression: 'claims.a' }),
      'jwt[0].claimValidationRules[0].expression: Invalid value: "claims.a": must evaluate to bool',
    ],
    ['an empty rule for users', withUserRule({}), 'jwt[0].userValidationRules[0].expression: Required value'],
    ['a rule for an unknown field', withUserRule({ expression: 'user.name == ""' }), "undefined field 'name'"],
    [
      'a repeated rule',
      withUserRule({ expression: 'true' }, { expression: 'true' }),
      'jwt[0].userValidationRules[1].expression: Duplicate value: "true"',
    ],
  ])('with %s is refused', (_, jwt, want) => {
    expect(messageOf(jwt)).toContain(want);
  });

  test('with an issuer twice is refused', () => {
    expect(messageOf(valid, valid)).toBe('jwt[1].issuer.url: Duplicate value: "https://issuer"');
  });

  test('with too many issuers is refused', () => {
    const jwt = Array.from({ length: 65 }, (_, at) => withIssuer({ url: `https://issuer/${at}` }));
    expect(messageOf(...jwt)).toBe('jwt: Too many: 65: must have at most 64 items');
  });
});
