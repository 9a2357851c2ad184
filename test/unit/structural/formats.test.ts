import { describe, expect, test } from '@jest/globals';
import { formatErrors, formats } from '../../../runtime/structural/formats.ts';

const long = (count: number): string => 'a'.repeat(count);

describe('valid values', () => {
  test.each([
    ['dns-label', ['a', 'my-name', '123-abc', long(63)]],
    ['dns-subdomain', ['example.com', 'a', `${long(63)}.b`]],
    ['dns1035-label', ['my-name', 'a1']],
    ['wildcard-subdomain', ['*.example.com']],
    ['label-key', ['name', 'example.com/Name', 'a.b_c-d', long(63)]],
    ['label-value', ['', 'My_value.1', long(63)]],
    ['port-name', ['http', 'a-1', '1a']],
    ['ip', ['10.0.0.1', '010.0.0.1', '::1', '2001:db8::ffff', '::ffff:1.2.3.4']],
    ['cidr', ['10.0.0.0/8', '10.0.0.1/32', '2001:db8::/64', '::/0']],
    ['percent', ['0%', '100%', '1000%']],
    ['config-map-key', ['key.name', '_x', '.dot']],
    ['env-var-name', ['MY_ENV', 'my.env-name']],
    ['relaxed-env-var-name', ['1 a/b', '!']],
    ['http-header-name', ['X-Header']],
    ['path-segment', ['system:node', 'a b']],
    ['c-identifier', ['my_name', '_1']],
    ['k8s-uuid', ['2f9a3c9e-1b9a-4c1c-8a3c-0a4f3a6a9c11']],
    ['decimal-integer', ['0', '-12', '900']],
    ['k8s-extended-resource-name', ['example.com/gpu']],
    ['k8s-resource-pool-name', ['a.b/c']],
    ['k8s-resource-fully-qualified-name', ['example.com/model']],
  ])('%s', (format, values) => {
    for (const value of values) expect(formatErrors(format, value, 'spec.x')).toEqual([]);
  });
});

describe('invalid values', () => {
  const label =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  const subdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  const keyName =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  test.each([
    ['dns-label', 'My_Name', [label]],
    ['dns-label', 'a.b', ['must not contain dots']],
    ['dns-label', 'a\n', [label]],
    ['dns-label', long(64), ['must be no more than 63 characters']],
    ['dns-subdomain', 'a..b', [subdomain]],
    ['dns-subdomain', '', [subdomain]],
    ['label-key', '', ['name part must be non-empty', `name part ${keyName}`]],
    ['label-key', '/a', ['prefix part must be non-empty']],
    ['label-key', 'a/b/c', [`a valid label key ${keyName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]],
    ['label-key', long(64), ['name part must be no more than 63 bytes']],
    ['port-name', 'a--b', ['must not contain consecutive hyphens']],
    ['port-name', '123', ['must contain at least one letter (a-z)']],
    ['port-name', '-a', ['must not begin or end with a hyphen']],
    ['ip', '10.0.0', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ['ip', 'fe80::1%eth0', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    ['cidr', '10.0.0.0/33', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
    ['cidr', '10.0.0.0', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
    [
      'percent',
      '10',
      [
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    ['config-map-key', '..', ["must not be '..'"]],
    ['config-map-key', '..a', ["must not start with '..'"]],
    ['path-segment', 'a/b%', ["may not contain '/'", "may not contain '%'"]],
    ['path-segment', '..', ["may not be '..'"]],
    ['k8s-uuid', 'ABC', ['must be a lowercase UUID in 8-4-4-4-12 format']],
    ['ipv4', '::1', ['spec.x in body must be of type ipv4: "::1"']],
  ])('%s %j', (format, value, want) => {
    expect(formatErrors(format, value, 'spec.x')).toEqual(want);
  });
});

test('ports are numbers', () => {
  expect(formats.port?.(8080 as never)).toEqual([]);
  expect(formats.port?.(0 as never)).toEqual(['must be between 1 and 65535, inclusive']);
});

test('an unknown format is not validated', () => {
  expect(formatErrors('constructor', 'x', 'a')).toEqual([]);
  expect(formatErrors('telephone', 'x', 'a')).toEqual([]);
});
