import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { failureOf, openTestStores, type TestStores } from '../../../support/resource-stores.ts';

describe('ServiceCIDRs and IPAddresses', () => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openTestStores();
  });
  afterEach(() => stores.close());

  const create = async (cidrs: readonly string[]) =>
    (await stores.of('networking.k8s.io/servicecidrs')).create({ metadata: { name: 'c' }, spec: { cidrs } });

  test.each([
    [[], 'spec.cidrs: Required value: at least one CIDR required'],
    [
      ['10.0.0.0/24', '10.1.0.0/24', '10.2.0.0/24'],
      'spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","10.1.0.0/24","10.2.0.0/24"]}: may only hold up to 2 values',
    ],
    [
      ['10.0.0.0/24', '10.1.0.0/24'],
      'spec.cidrs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
    [['x'], 'spec.cidrs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
    [['010.0.0.0/24'], 'spec.cidrs[0]: Invalid value: "010.0.0.0/24": must not have leading 0s in IP or prefix length'],
    [['10.0.0.1/24'], 'spec.cidrs[0]: Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length'],
    [['FD00::/112'], 'spec.cidrs[0]: Invalid value: "FD00::/112": must be in canonical form ("fd00::/112")'],
    [['::ffff:10.0.0.0/120'], 'spec.cidrs[0]: Invalid value: "::ffff:10.0.0.0/120": must not have an IPv4-mapped IPv6 address'],
  ])('a ServiceCIDR of %j is refused', async (cidrs, why) => {
    expect((await failureOf(create(cidrs))).message).toBe(`ServiceCIDR.networking.k8s.io "c" is invalid: ${why}`);
  });

  test.each<[string[], string[], string | undefined]>([
    [['10.0.0.0/24'], ['10.0.0.0/24', 'fd00::/112'], undefined],
    [['10.0.0.0/24'], ['10.1.0.0/24'], 'spec.cidrs[0]: Invalid value: "10.1.0.0/24": field is immutable'],
    [['10.0.0.0/24', 'fd00::/112'], ['10.0.0.0/24'], 'spec.cidrs: Invalid value: ["10.0.0.0/24"]: field is immutable'],
    [['10.0.0.0/24'], ['10.0.0.0/24', 'fd00::1/112'], 'must not have bits set beyond the prefix length'],
  ])('from %j to %j: %s', async (before, after, why) => {
    await create(before);
    const update = (await stores.of('networking.k8s.io/servicecidrs')).update('c', (object) => {
      object.spec.cidrs = after;
    });
    if (why === undefined) expect((await update).spec.cidrs).toEqual(after);
    else expect((await failureOf(update)).message).toContain(why);
  });

  const parentRef = { resource: 'services', namespace: 'default', name: 's' };
  test.each<[string, object, string]>([
    ['10.0.0.01', { parentRef }, 'metadata.name: Invalid value: "10.0.0.01": must not have leading 0s'],
    ['fd00::0', { parentRef }, 'metadata.name: Invalid value: "fd00::0": must be in canonical form ("fd00::")'],
    ['10.0.0.1', {}, 'spec.parentRef: Required value'],
    ['10.0.0.1', { parentRef: { resource: 'a/b', name: 's' } }, 'spec.parentRef.resource: Invalid value: "a/b": may not contain \'/\''],
    ['10.0.0.1', { parentRef: { resource: 'services' } }, 'spec.parentRef.name: Required value'],
  ])('an IPAddress %s with %j is refused', async (name, spec, why) => {
    const addresses = await stores.of('networking.k8s.io/ipaddresses');
    const { message } = await failureOf(addresses.create({ metadata: { name }, spec }));
    expect(message).toBe(`IPAddress.networking.k8s.io "${name}" is invalid: ${why}`);
  });
});
