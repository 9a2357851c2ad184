import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServiceCIDR, failureOf, openTestStores, type TestStores } from '../../../../support/resource-stores.ts';

describe('the IP families of a service', () => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openTestStores();
    await createServiceCIDR(stores, '10.96.0.0/12', 'fd00:10:96::/112');
  });
  afterEach(() => stores.close());

  const service = (spec: object) => ({
    metadata: { name: 's' },
    spec: { selector: { app: 'a' }, ports: [{ port: 80 }], ...spec },
  });
  const v4 = expect.stringMatching(/^10\.\d+\.\d+\.\d+$/);
  const v6 = expect.stringMatching(/^fd00:10:96::[0-9a-f]+$/);
  const second = 'fd00:10:96::7';

  test.each<[object, string, string[], unknown[]]>([
    [{}, 'SingleStack', ['IPv4'], [v4]],
    [{ ipFamilies: ['IPv6'] }, 'SingleStack', ['IPv6'], [v6]],
    [{ clusterIP: second }, 'SingleStack', ['IPv6'], [second]],
    [{ clusterIP: 'FD00:10:96:0:0::7' }, 'SingleStack', ['IPv6'], ['FD00:10:96:0:0::7']],
    [{ ipFamilyPolicy: 'PreferDualStack' }, 'PreferDualStack', ['IPv4', 'IPv6'], [v4, v6]],
    [{ ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6'] }, 'RequireDualStack', ['IPv6', 'IPv4'], [v6, v4]],
    [
      { ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.96.9.9', clusterIPs: ['10.96.9.9', second] },
      'RequireDualStack',
      ['IPv4', 'IPv6'],
      ['10.96.9.9', second],
    ],
    [{ clusterIP: 'None' }, 'SingleStack', ['IPv4'], ['None']],
    [{ clusterIP: 'None', selector: {} }, 'RequireDualStack', ['IPv4', 'IPv6'], ['None']],
  ])('%j: %s %j %j', async (asked, ipFamilyPolicy, ipFamilies, clusterIPs) => {
    const { spec } = await (await stores.of('services')).create(service(asked));
    expect(spec).toMatchObject({ ipFamilyPolicy, ipFamilies, clusterIPs, clusterIP: clusterIPs[0] });
  });

  test.each([
    [{ ipFamilies: ['IPv5'] }, 'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"'],
    [{ ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv4'] }, 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
    [
      { ipFamilies: ['IPv4', 'IPv6'] },
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
    ],
    [
      { ipFamilies: ['IPv4'], clusterIP: second },
      `spec.clusterIPs[0]: Invalid value: "${second}": expected an IPv4 value as indicated by \`ipFamilies[0]\``,
    ],
    [
      { clusterIP: 'fd00:10:97::7' },
      'spec.clusterIPs: Invalid value: ["fd00:10:97::7"]: failed to allocate IP fd00:10:97::7: the provided network does not match the current range',
    ],
  ])('%j is rejected', async (asked, why) => {
    const failure = await failureOf((await stores.of('services')).create(service(asked)));
    expect(failure.message).toBe(`Service "s" is invalid: ${why}`);
  });

  test('an address is compared by value, not by text', async () => {
    const services = await stores.of('services');
    await services.create(service({ clusterIP: second }));
    const other = { ...service({ clusterIP: 'fd00:10:96:0::7' }), metadata: { name: 'other' } };
    const failure = await failureOf(services.create(other));
    expect(failure.message).toContain('provided IP is already allocated');
  });

  test('the policy adds and removes the second family, and the first address stays', async () => {
    const services = await stores.of('services');
    const { clusterIP } = (await services.create(service({}))).spec;
    const dual = await services.update('s', (object) => {
      object.spec.ipFamilyPolicy = 'RequireDualStack';
    });
    expect(dual.spec).toMatchObject({ clusterIPs: [clusterIP, v6], ipFamilies: ['IPv4', 'IPv6'] });
    const failure = await failureOf(
      services.update('s', (object) => {
        object.spec.ipFamilies.pop();
      }),
    );
    expect(failure.message).toContain("must be 'SingleStack' to release the secondary IP family");
    const single = await services.update('s', (object) => {
      object.spec.ipFamilyPolicy = 'SingleStack';
    });
    expect(single.spec).toMatchObject({ clusterIPs: [clusterIP], ipFamilies: ['IPv4'] });
  });
});
