import { describe, expect, test } from '@jest/globals';
import { addCIDRWarnings, addIPWarnings } from '../../../../runtime/kinds/validation/ip-warnings.ts';

const future = 'will be considered invalid in a future Kubernetes release: use';

function warningsOf(rule: typeof addIPWarnings, value: string): string[] {
  const warnings: string[] = [];
  rule('at', value, warnings);
  return warnings;
}

describe('addresses', () => {
  test.each([
    ['192.12.2.2', []],
    ['2001:db8::2', []],
    ['::', []],
    ['::1', []],
    ['1::', []],
    ['1:0:0:2::3', []],
    ['1::2:0:0:0:3', ['at: IPv6 address "1::2:0:0:0:3" should be in RFC 5952 canonical format ("1:0:0:2::3")']],
    ['not an address', []],
    ['fe80::1%eth0', []],
    ['', []],
    ['192.012.2.2', [`at: non-standard IP address "192.012.2.2" ${future} "192.12.2.2"`]],
    ['000.0.0.1', [`at: non-standard IP address "000.0.0.1" ${future} "0.0.0.1"`]],
    ['::ffff:192.12.2.2', [`at: non-standard IP address "::ffff:192.12.2.2" ${future} "192.12.2.2"`]],
    ['::ffff:c0c:202', [`at: non-standard IP address "::ffff:c0c:202" ${future} "12.12.2.2"`]],
    ['1::1.02.3.4', [`at: non-standard IP address "1::1.02.3.4" ${future} "1::102:304"`]],
    ['1::1.2.3.4', ['at: IPv6 address "1::1.2.3.4" should be in RFC 5952 canonical format ("1::102:304")']],
    ['2001:db8:0:0::2', ['at: IPv6 address "2001:db8:0:0::2" should be in RFC 5952 canonical format ("2001:db8::2")']],
    ['FE80::1', ['at: IPv6 address "FE80::1" should be in RFC 5952 canonical format ("fe80::1")']],
    ['0:0:0:0:0:0:0:0', ['at: IPv6 address "0:0:0:0:0:0:0:0" should be in RFC 5952 canonical format ("::")']],
  ])('%s', (value, expected) => {
    expect(warningsOf(addIPWarnings, value)).toEqual(expected);
  });
});

describe('blocks', () => {
  const ambiguous = 'is ambiguous in this context (should be';

  test.each([
    ['192.12.2.0/24', []],
    ['0.0.0.0/0', []],
    ['2001:db8::/64', []],
    ['::/0', []],
    ['10.0.0.0/33', []],
    ['10.0.0.0', []],
    ['192.012.2.0/24', [`at: non-standard CIDR value "192.012.2.0/24" ${future} "192.12.2.0/24"`]],
    ['192.12.2.0/024', [`at: non-standard CIDR value "192.12.2.0/024" ${future} "192.12.2.0/24"`]],
    ['::ffff:192.12.2.0/120', [`at: non-standard CIDR value "::ffff:192.12.2.0/120" ${future} "192.12.2.0/24"`]],
    ['192.12.2.8/24', [`at: CIDR value "192.12.2.8/24" ${ambiguous} "192.12.2.0/24" or "192.12.2.8/32"?)`]],
    [
      '192.012.2.8/24',
      [
        `at: CIDR value "192.012.2.8/24" ${ambiguous} "192.12.2.0/24" or "192.12.2.8/32"?)`,
        `at: non-standard CIDR value "192.012.2.8/24" ${future} "192.12.2.0/24"`,
      ],
    ],
    ['2001:db8::1/64', [`at: CIDR value "2001:db8::1/64" ${ambiguous} "2001:db8::/64" or "2001:db8::1/128"?)`]],
    ['2001:db8:0:0::/64', ['at: IPv6 CIDR value "2001:db8:0:0::/64" should be in RFC 5952 canonical format ("2001:db8::/64")']],
  ])('%s', (value, expected) => {
    expect(warningsOf(addCIDRWarnings, value)).toEqual(expected);
  });
});
