import { expect, test } from '@jest/globals';
import { openApiFormat } from '../../../runtime/structural/open-api-formats.ts';
import { unrecognizedFormats } from '../../../runtime/structural/schema/visit.ts';

test.each<[string, string[], string[]]>([
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', 'x07f1f77bcf86cd799439011']],
  ['byte', ['YWJj', 'YQ=='], ['', 'YQ', 'YW-_']],
  ['cidr', ['10.0.0.0/8', '010.0.0.0/8', 'fe80::/10'], ['10.0.0.0', '10.0.0.0/33', 'fe80::/129']],
  ['creditcard', ['4111-1111-1111-1111'], ['4111111111111112', '411']],
  ['date', ['2020-02-29'], ['2021-02-29', '2020-13-01', '20-01-01', '2020-1-1']],
  [
    'date-time',
    ['2020-01-01T10:00:00Z', '2020-01-01t10:00:00.5+02:00'],
    ['2020-01-01 10:00:00Z', '2020-01-01T24:00:00Z', '2020-01-01T10:00:00', '2020-02-30T10:00:00Z'],
  ],
  ['datetime', ['2020-01-01T10:00:00Z'], ['now']],
  ['duration', ['1h', '1.5s', '-2m', '0', '5 minutes', '1 day', '2w', '22 ns'], ['', '1', 'h', 'soon', '1 fortnight']],
  [
    'email',
    ['a@b', 'a.b+c@example.com', 'Ann <a@b.c>', '"q u" <a@b.c>', '"a b"@c', 'a@[127.0.0.1]'],
    ['', 'a', 'a@', '@b', 'a@b c', 'a..b@c', 'a@b@c', '<a@b'],
  ],
  ['hexcolor', ['#fff', 'FFFFFF'], ['#ffff', 'red']],
  [
    'hostname',
    ['example.com', 'a', 'A-b', '1.example.com', 'münchen.de'],
    ['', '-a', 'a_b.com', 'a..b', 'example.c', `${'a'.repeat(64)}.com`],
  ],
  ['ipv4', ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], ['1.2.3', '1.2.3.256', '::1']],
  ['ipv6', ['::1', 'fe80::1'], ['1.2.3.4', 'fe80::1%eth0', ':::']],
  ['isbn', ['0321751043', '978-0321751041'], ['0321751044', '123']],
  ['isbn10', ['0321751043', '0-8044-2957-X'], ['978-0321751041']],
  ['isbn13', ['978-0321751041'], ['978-0321751042']],
  ['k8s-long-name', ['a.b-c', 'a'.repeat(253)], ['A', 'a..b', 'a'.repeat(254)]],
  ['k8s-short-name', ['a-b'], ['a.b', '-a', 'a'.repeat(64)]],
  [
    'mac',
    ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab', '01:23:45:67:89:ab:cd:ef'],
    ['01:23:45:67:89', '01:23-45:67:89:ab', '0123456789ab'],
  ],
  ['password', ['', 'anything'], []],
  ['rgbcolor', ['rgb(1, 2,3)', 'rgb(255,255,255)'], ['rgb(256,0,0)', 'rgb(01,0,0)', '#fff']],
  ['ssn', ['111-22-3333', '111 22 3333'], ['111223333', '1-2-3']],
  [
    'uri',
    ['http://a/b', 'mailto:x', '/path?q', 'HTTP://[::1]:80/', '*'],
    ['', 'a/b', ':x', 'http://a b/', 'http://a:x/', '/%zz', 'http://[::1', '//a\tb'],
  ],
  ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['123e4567', '']],
  ['uuid3', ['123e4567-e89b-32d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
  ['uuid4', ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567-e89b-42d3-c456-426614174000']],
  ['uuid5', ['123e4567-e89b-52d3-a456-426614174000'], ['123e4567-e89b-42d3-a456-426614174000']],
])('%s accepts what upstream accepts', (name, good, bad) => {
  const check = openApiFormat(name) as (value: string) => boolean;
  expect(good.filter((value) => !check(value))).toEqual([]);
  expect(bad.filter(check)).toEqual([]);
});

test('unknown formats are reported', () => {
  expect(openApiFormat('constructor')).toBeUndefined();
  const schema = {
    type: 'object',
    properties: {
      a: { type: 'string', format: 'telephone' },
      b: { type: 'integer', format: 'int32' },
      c: { type: 'array', items: { type: 'string', format: 'date-time' } },
    },
  };
  expect(unrecognizedFormats(schema)).toEqual(['telephone']);
});
