import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OidcProvider } from '../../../../../runtime/authentication/token/oidc/provider.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { OidcIssuer } from '../../../../support/oidc-issuer.ts';

let issuer: OidcIssuer;
const open: OidcProvider[] = [];
const clock = new ManualClock();

beforeAll(async () => {
  issuer = await OidcIssuer.open();
});
afterAll(async () => {
  for (const provider of open) provider.close();
  await issuer.close();
});

function providerOf(errors: string[], options: object = {}): OidcProvider {
  const provider = new OidcProvider({
    issuer: issuer.url,
    certificateAuthority: issuer.server.authority.certificate,
    clock,
    onError: ({ message }) => void errors.push(message),
    ...options,
  });
  open.push(provider);
  return provider;
}

describe('an OpenID Connect issuer', () => {
  test('that hangs holds up nobody for longer than the timeout, and is asked once at a time', async () => {
    // long enough for the answered requests on a busy machine
    const provider = providerOf([], { timeout: 2_000 });
    expect(await provider.isInitialized()).toBe(true);
    issuer.respondKeys = () => 'hang';
    const before = issuer.keyRequests;
    const both = await Promise.allSettled([provider.refresh(), provider.refresh()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await provider.refresh()).toBe(false);
    expect(issuer.keyRequests).toBe(before + 1);
    issuer.respondKeys = undefined;
    clock.advance(10_000);
    expect(await provider.refresh()).toBe(true);
    expect(provider.keysFor(issuer.keys[0].kid)).toHaveLength(1);
    expect(provider.keysFor('other')).toEqual([]);
    expect(provider.keysFor(undefined)).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    [
      'names itself differently',
      { discoveryUrl: '/other/discovery', issuer: 'https://other' },
      'oidc: issuer did not match the issuer returned by provider, expected "https://other" got',
    ],
    ['has another CA', { certificateAuthority: undefined }, 'certificate signed by unknown authority'],
    ['has no discovery document', { discoveryUrl: '/nowhere' }, 'status 404'],
  ])('that %s is asked again later', async (_, options, why) => {
    const errors: string[] = [];
    const { discoveryUrl } = options as { discoveryUrl?: string };
    issuer.respondKeys = () => ({ status: 404 });
    const provider = providerOf(errors, {
      ...options,
      ...(discoveryUrl && { discoveryUrl: issuer.url + discoveryUrl }),
    });
    expect(await provider.isInitialized()).toBe(false);
    expect(errors).toEqual([expect.stringContaining(why)]);
    clock.advance(10_000);
    expect(await provider.isInitialized()).toBe(false);
    expect(errors).toHaveLength(2);
    issuer.respondKeys = undefined;
  });
});
