import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import { post } from '../builders/targets.ts';
import { large, long, many, mebibyte, nested } from '../builders/text.ts';
import type { Attack, Attacks, Request, Who } from '../harness/attack.ts';

const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const issuer = 'https://kubernetes.default.svc.cluster.local';

const stranger = (name: string, headers: () => Record<string, string>, codes: readonly number[]): Attack => ({
  name,
  send: (): Request => ({
    ...post(whoAmI, {}),
    headers: { 'content-type': 'application/json', ...headers() },
    as: 'anonymous',
  }),
  codes,
});

/** Paths without permissions for anonymous users. */
const places: Attack[] = [
  ['GET', '/api'],
  ['GET', '/apis'],
  ['GET', '/api/v1/secrets'],
  ['GET', '/api/v1/namespaces/default/configmaps?watch=1'],
  ['GET', '/openapi/v2'],
  ['GET', '/openapi/v3'],
  ['GET', '/metrics'],
  ['GET', '/debug/api_priority_and_fairness/dump_queues'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/nowhere'],
  ['POST', '/api/v1/namespaces/default/serviceaccounts/default/token'],
  ['DELETE', '/api/v1/namespaces/default'],
].map(([method, path]) => ({
  name: `anonymous: ${method} ${path}`,
  send: () => ({ method, path, as: 'anonymous' as const }),
  codes: [403],
}));

const base64 = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1000);
const claims = {
  iss: issuer,
  aud: [issuer],
  sub: 'system:serviceaccount:default:default',
  iat: now,
  nbf: now,
  exp: now + 3600,
  'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'default', uid: 'x' } },
};
const { privateKey: ownKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

function jwt(header: object, payload: unknown = claims, signature?: string): string {
  const text = `${base64(header)}.${base64(payload)}`;
  return `${text}.${signature ?? sign('sha256', Buffer.from(text), { key: ownKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

const tokens: readonly (readonly [name: string, made: () => string])[] = [
  ['nothing', () => ''],
  ['a letter', () => 'x'],
  ['dots', () => '...'],
  ['200,000 dots', () => long(200_000, '.')],
  ['900 KB of letters', () => long(900_000)],
  ['only two dots', () => '..'],
  ['alg none', () => jwt({ alg: 'none' }, claims, '')],
  ['alg None', () => jwt({ alg: 'None' }, claims, '')],
  ['no alg', () => jwt({}, claims, '')],
  ['an alg that is a list', () => jwt({ alg: ['none'] })],
  ['an alg of 100 KB', () => jwt({ alg: long(100_000) })],
  ['alg __proto__', () => jwt({ alg: '__proto__' })],
  ['HS256 with an empty key', () => hmac('')],
  ['HS256 with the issuer as its key', () => hmac(issuer)],
  ['another key', () => jwt({ alg: 'ES256' })],
  ['RS256 with a random signature', () => jwt({ alg: 'RS256' }, claims, randomBytes(256).toString('base64url'))],
  ['a signature of zeros', () => jwt({ alg: 'ES256' }, claims, Buffer.alloc(64).toString('base64url'))],
  ['a signature of 500 KB', () => jwt({ alg: 'ES256' }, claims, long(500_000))],
  ['its own key in its header', () => jwt({ alg: 'ES256', jwk: ownKey.export({ format: 'jwk' }) })],
  ['a key at a URL', () => jwt({ alg: 'ES256', jku: 'https://evil.example.com/keys', kid: '../../etc/passwd' })],
  ['a key id of 300 KB', () => jwt({ alg: 'ES256', kid: long(300_000) })],
  ['critical headers', () => jwt({ alg: 'ES256', crit: Array.from({ length: 10_000 }, String) })],
  ['an expiry long ago', () => jwt({ alg: 'ES256' }, { ...claims, exp: 1 })],
  ['an expiry of 1e400', () => jwt({ alg: 'ES256' }, JSON.stringify(claims).replace(`${now + 3600}`, '1e400'))],
  ['another issuer', () => jwt({ alg: 'ES256' }, { ...claims, iss: 'https://evil.example.com' })],
  ['no issuer', () => jwt({ alg: 'ES256' }, { ...claims, iss: undefined })],
  ['an issuer that is a list', () => jwt({ alg: 'ES256' }, { ...claims, iss: [issuer] })],
  ['a payload of 600 KB', () => jwt({ alg: 'ES256' }, { ...claims, more: long(600_000) })],
  ['50,000 audiences', () => jwt({ alg: 'ES256' }, { ...claims, aud: Array.from({ length: 50_000 }, String) })],
  ['a payload of 100,000 levels', () => jwt({ alg: 'ES256' }, nested(100_000, '{"a":', '}', '1'))],
  ['a payload of 300,000 brackets', () => jwt({ alg: 'ES256' }, long(300_000, '['))],
  ['a header of 300,000 brackets', () => `${base64(long(300_000, '['))}.${base64(claims)}.AA`],
  ['a payload that is null', () => jwt({ alg: 'ES256' }, 'null')],
  ['a payload that is not JSON', () => jwt({ alg: 'ES256' }, '{')],
  ['a payload that is a prototype', () => jwt({ alg: 'ES256' }, '{"__proto__":{"sub":"admin"}}')],
  ['a payload that is not UTF-8', () => `${base64({ alg: 'ES256' })}.${Buffer.alloc(1_000, 0xff).toString('base64url')}.AA`],
  ['an encrypted token', () => 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AA.AA.AA'],
  ['zip in its header', () => jwt({ alg: 'ES256', zip: 'DEF' })],
];

const certificate = (name: string, as: Who): Attack => ({
  name,
  send: () => ({ ...post(whoAmI, {}), as }),
  codes: [401],
});
const times = { from: Date.now() - 3600_000, until: Date.now() + 3600_000 };
const authority = issueCertificate({ commonName: 'kubeloom-ca', use: 'ca', ...times });
const admin = { commonName: 'kubernetes-admin', organizations: ['system:masters'], use: 'client', ...times } as const;
const shown = ({ certificate: cert, key }: { certificate: string; key: string }): Who => ({ cert, key });

const certificates: Attack[] = [
  certificate('a certificate of an authority of the same name', shown(issueCertificate(admin, authority))),
  certificate('a certificate that signs itself', shown(issueCertificate(admin))),
  certificate('an authority for a client', shown(authority)),
  certificate('a certificate of a server', shown(issueCertificate({ ...admin, use: 'server' }, authority))),
  certificate('a certificate that has expired', shown(issueCertificate({ ...admin, from: 1e12, until: 1.1e12 }, authority))),
  certificate(
    'a certificate that is valid from tomorrow',
    shown(issueCertificate({ ...admin, from: times.until, until: times.until + 1e9 }, authority)),
  ),
  certificate(
    'a certificate of 10,000 organizations',
    shown(issueCertificate({ ...admin, organizations: many(300, (at) => `group-${at}`).split(',') }, authority)),
  ),
];

const review = (name: string, path: string, spec: () => object, codes: readonly number[]): Attack => ({
  name,
  send: () => post(path, { spec: spec() }),
  codes,
});
const tokenReviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const accessReviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const resourceAttributes = { verb: 'get', resource: 'pods' };
const texts = (times: number): string[] => Array.from({ length: times }, (_, at) => `text-${at}`);

const reviews: Attack[] = [
  ...tokens.map(([name, made]) =>
    review(`a review of a token of ${name}`, tokenReviews, () => ({ token: made() }), name === 'nothing' ? [400] : [201]),
  ),
  review('a review of a token of 3 MiB', tokenReviews, () => ({ token: long(large) }), [201]),
  review('a review for 100,000 audiences', tokenReviews, () => ({ token: 'x', audiences: texts(100_000) }), [201]),
  review('access of a user of 2 MiB', accessReviews, () => ({ user: long(2 * mebibyte), resourceAttributes }), [201]),
  review('access of 100,000 groups', accessReviews, () => ({ user: 'x', groups: texts(100_000), resourceAttributes }), [201]),
  review(
    'access of 50,000 extras',
    accessReviews,
    () => ({ user: 'x', extra: Object.fromEntries(texts(50_000).map((text) => [text, ['y']])), resourceAttributes }),
    [201],
  ),
  review(
    'access of the user __proto__',
    accessReviews,
    () => ({ user: '__proto__', extra: JSON.parse('{"__proto__":["x"]}'), resourceAttributes }),
    [201],
  ),
  review('access without attributes', accessReviews, () => ({ user: 'x' }), [422]),
];

export const credentials: Attacks = {
  title: 'tokens and credentials',
  rows: [
    ...places,
    ...tokens.map(([name, made]) =>
      // an empty credential counts as none: the user is anonymous
      stranger(`a token of ${name}`, () => ({ authorization: `Bearer ${made()}` }), [name === 'nothing' ? 403 : 401]),
    ),
    stranger('Basic', () => ({ authorization: `Basic ${base64('admin:admin')}` }), [403]),
    stranger('Negotiate', () => ({ authorization: 'Negotiate x' }), [403]),
    stranger('100,000 times Bearer', () => ({ authorization: long(700_000, 'Bearer ') }), [401]),
    stranger('headers of a proxy', () => ({ 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }), [403]),
    stranger('impersonation', () => ({ 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' }), [403]),
    stranger(
      'a token as a WebSocket subprotocol',
      () => ({ 'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${base64('x')}` }),
      [403],
    ),
    ...certificates,
    ...reviews,
  ],
};

function hmac(key: string): string {
  const text = `${base64({ alg: 'HS256' })}.${base64(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
