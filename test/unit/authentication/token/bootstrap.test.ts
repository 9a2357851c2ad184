import { describe, expect, test } from '@jest/globals';
import type { Secret } from '../../../../generated/v1.35/core/v1/types.ts';
import { bootstrapTokens } from '../../../../runtime/authentication/token/bootstrap.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const token = 'abcdef.0123456789abcdef';
const fields = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  'usage-bootstrap-authentication': 'true',
};
const secretOf = (data: Record<string, string> = {}, rest: object = {}): Secret => ({
  metadata: {},
  type: 'bootstrap.kubernetes.io/token',
  data: Object.fromEntries(Object.entries({ ...fields, ...data }).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  ...rest,
});
const clock = new ManualClock();
const authenticate = (secret: Secret | undefined, given = token) =>
  bootstrapTokens((name) => (name === 'bootstrap-token-abcdef' ? secret : undefined), clock)(given);

describe('bootstrap tokens', () => {
  test.each<[string, Secret, readonly string[]]>([
    ['in the group of all', secretOf(), ['system:bootstrappers']],
    [
      'in further groups',
      secretOf({ 'auth-extra-groups': 'system:bootstrappers:z,system:bootstrappers:a:b' }),
      ['system:bootstrappers', 'system:bootstrappers:a:b', 'system:bootstrappers:z'],
    ],
    ['before they expire', secretOf({ expiration: '2026-01-01T00:00:00Z' }), ['system:bootstrappers']],
  ])('authenticate users %s', (_, secret, groups) => {
    expect(authenticate(secret)).toEqual({ name: 'system:bootstrap:abcdef', uid: '', groups, extra: {} });
  });

  test.each<[string, Secret | undefined, string?]>([
    ['without a Secret', undefined],
    ['with another secret part', secretOf(), 'abcdef.0123456789abcdeg'],
    ['in another form', secretOf(), 'ABCDEF.0123456789abcdef'],
    ['with a newline', secretOf(), `${token}\n`],
    ['whose Secret has another id', secretOf({ 'token-id': 'abcdeg' })],
    ['whose Secret has another type', secretOf({}, { type: 'Opaque' })],
    ['whose Secret is being deleted', secretOf({}, { metadata: { deletionTimestamp: '2025-12-31T00:00:00Z' } })],
    ['whose Secret has no data', secretOf({}, { data: undefined })],
    ['without a secret part in the Secret', secretOf({ 'token-secret': '' })],
    ['that have expired', secretOf({ expiration: '2025-12-31T23:59:59Z' })],
    ['whose expiration cannot be read', secretOf({ expiration: 'tomorrow' })],
    ['that are not for authentication', secretOf({ 'usage-bootstrap-authentication': 'True' })],
    ['with a group elsewhere', secretOf({ 'auth-extra-groups': 'system:masters' })],
  ])('are unknown %s', (...[, secret, given]) => {
    expect(authenticate(secret, given)).toBeUndefined();
  });
});
