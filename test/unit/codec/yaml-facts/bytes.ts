import type { Fact } from './fact.ts';

/** Encodings. Each character of the YAML is a byte. */
export const bytes: readonly Fact[] = [
  ['\xff', { error: 'yaml: invalid leading UTF-8 octet' }],
  ['\x80', { error: 'yaml: invalid leading UTF-8 octet' }],
  ['a\xc3', { error: 'yaml: incomplete UTF-8 octet sequence' }],
  ['\xe2(\xa1', { error: 'yaml: invalid trailing UTF-8 octet' }],
  ['\xc0\x80', { error: 'yaml: invalid length of a UTF-8 sequence' }],
  ['\xe0\x80\x80', { error: 'yaml: invalid length of a UTF-8 sequence' }],
  ['\xed\xa0\x80', { error: 'yaml: invalid Unicode character' }],
  ['\xf4\x90\x80\x80', { error: 'yaml: invalid Unicode character' }],
  ['\xf8', { error: 'yaml: invalid leading UTF-8 octet' }],
  ['a: b\n---\n\xff', { error: 'yaml: invalid leading UTF-8 octet' }],
  [`a: b\n---\n${'#'.repeat(600)}\n\xff`, '{"a":"b"}'],
  [`a: @\n${'#'.repeat(600)}\n\xff`, { error: 'yaml: found character that cannot start any token' }],
  [`- a\n${'#'.repeat(600)}\n\xff`, { error: 'yaml: invalid leading UTF-8 octet' }],
  ['\xef\xbb\xbfa: \xc3\xa9', '{"a":"é"}'],
  ['\xff\xfea\x00:\x00 \x00é\x00', '{"a":"é"}'],
  ['\xfe\xff\x00a\x00:\x00 \xd8=\xde\x00', '{"a":"😀"}'],
  ['\xff\xfea', { error: 'yaml: incomplete UTF-16 character' }],
  ['\xff\xfe\x00\xdc', { error: 'yaml: unexpected low surrogate area' }],
  ['\xff\xfe\x00\xd8', { error: 'yaml: incomplete UTF-16 surrogate pair' }],
  ['\xff\xfe\x00\xd8a\x00', { error: 'yaml: expected low surrogate area' }],
  ['\xff\xfe\x01\x00', { error: 'yaml: control characters are not allowed' }],
];
