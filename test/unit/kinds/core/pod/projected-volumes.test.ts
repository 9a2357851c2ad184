import { describe, expect, test } from '@jest/globals';
import { validateProjectedVolumeSource } from '../../../../../runtime/kinds/core/pod/projected-volumes.ts';
import { newPod } from '../../../../../runtime/kinds/core/pod/validation-options.ts';
import { Field } from '../../../../../runtime/machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../../runtime/machinery/validation/field-path.ts';
import type { TestValue } from '../../../../support/test-object.ts';

/*
 * A write drops these sources, because their gates are off, unless a server with the gates has stored one. The rules of
 * all other sources are in runtime/kinds/core/pod/volumes.rules.yaml.
 */

function messages(...sources: TestValue[]): string[] {
  const errors: FieldError[] = [];
  validateProjectedVolumeSource({ defaultMode: 420, sources }, Field.at(FieldPath.of('v'), errors), newPod);
  return errors.map(fieldErrorMessage);
}

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe('a bundle of trust', () => {
  const bundle = (more: TestValue): TestValue => ({ clusterTrustBundle: { path: 'p', ...more } });
  const at = 'v.sources[0].clusterTrustBundle';
  test.each<[what: string, more: TestValue, want: string[]]>([
    ['has a name', { name: 'a.b' }, []],
    ['has a name that begins with its signer', { name: 'a.b:c:d' }, []],
    ['has a signer', { signerName: 'a.b/c', labelSelector: { matchLabels: { a: 'b' } } }, []],
    ['has neither', {}, [`${at}: Required value: either name or signerName must be specified`]],
    [
      'has both',
      { name: 'a', signerName: 'a.b/c' },
      [
        `${at}: Invalid value: {"Name":"a","SignerName":"a.b/c","LabelSelector":null,"Optional":null,"Path":"p"}: only one of name and signerName may be used`,
      ],
    ],
    [
      'has an empty name',
      { name: '' },
      [
        `${at}.name: Required value: must be a valid object name`,
        `${at}.name: Invalid value: "": not a valid clustertrustbundlename: ${subdomain}`,
      ],
    ],
    [
      'has a wrong name behind its signer',
      { name: 'a.b:c:D' },
      [`${at}.name: Invalid value: "a.b:c:D": not a valid clustertrustbundlename: ${subdomain}`],
    ],
    [
      'has a name and a selector',
      { name: 'a', labelSelector: { matchLabels: { a: 'b' } } },
      [`${at}.labelSelector: Invalid value: {"matchLabels":{"a":"b"}}: labelSelector must be unset if name is specified`],
    ],
    [
      'has an empty signer',
      { signerName: '' },
      [`${at}.signerName: Required value: must be a valid signer name`, `${at}.signerName: Required value`],
    ],
    [
      'has a wrong signer',
      { signerName: 'a' },
      [`${at}.signerName: Invalid value: "a": must be a fully qualified domain and path of the form 'example.com/signer-name'`],
    ],
    [
      'has a wrong selector',
      { signerName: 'a.b/c', labelSelector: { matchExpressions: [{ key: 'a', operator: 'x' }] } },
      [`${at}.labelSelector.matchExpressions[0].operator: Invalid value: "x": not a valid selector operator`],
    ],
    ['has no path', { name: 'a', path: '' }, [`${at}.path: Required value`]],
    ['has an absolute path', { name: 'a', path: '/a' }, [`${at}.path: Invalid value: "/a": must be a relative path`]],
  ])('%s', (_, more, want) => {
    expect(messages(bundle(more))).toEqual(want);
  });

  test('has a path of its own', () => {
    expect(messages(bundle({ name: 'a' }), bundle({ name: 'b' }))).toEqual(['v: Invalid value: "p": conflicting duplicate paths']);
  });
});

describe('a certificate', () => {
  const certificate = (more: TestValue): TestValue => ({
    podCertificate: { signerName: 'a.b/c', keyType: 'ED25519', keyPath: 'p', ...more },
  });
  const at = 'v.sources[0].podCertificate';
  test.each<[what: string, more: TestValue, want: string[]]>([
    ['has a signer, a type and a path', { userAnnotations: { 'A.b/C': 'd' }, maxExpirationSeconds: 7_862_400 }, []],
    ['has no signer', { signerName: '' }, [`${at}.signerName: Required value`]],
    [
      'has an annotation without a domain',
      { userAnnotations: { A: 'b' } },
      [`${at}.userAnnotations: Invalid value: "a": must be a domain-prefixed key (such as "acme.io/foo")`],
    ],
    [
      'has long annotations',
      { userAnnotations: { 'a.b/c': 'd'.repeat(262_140) } },
      [`${at}.userAnnotations: Too long: may not be more than 262144 bytes`],
    ],
    [
      'has an unknown type',
      { keyType: 'x' },
      [`${at}.keyType: Unsupported value: "x": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`],
    ],
    [
      'lives for less than an hour',
      { maxExpirationSeconds: 3599 },
      [`${at}.maxExpirationSeconds: Invalid value: 3599: if provided, maxExpirationSeconds must be >= 3600`],
    ],
    [
      'lives for more than 91 days',
      { maxExpirationSeconds: 7_862_401 },
      [`${at}.maxExpirationSeconds: Invalid value: 7862401: if provided, maxExpirationSeconds must be <= 7862400`],
    ],
    [
      "lives for more than a day, and is one of Kubernetes' own",
      { signerName: 'a.kubernetes.io/c', maxExpirationSeconds: 86_401 },
      [`${at}.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400`],
    ],
    [
      'has wrong paths',
      { credentialBundlePath: '/a', keyPath: '..', certificateChainPath: '..a' },
      [
        `${at}.credentialBundlePath: Invalid value: "/a": must be a relative path`,
        `${at}.keyPath: Invalid value: "..": must not contain '..'`,
        `${at}.keyPath: Invalid value: "..": must not start with '..'`,
        `${at}.certificateChainPath: Invalid value: "..a": must not start with '..'`,
      ],
    ],
    ['has the same path twice', { certificateChainPath: 'p' }, ['v: Invalid value: "p": conflicting duplicate paths']],
    [
      'has no path',
      { keyPath: '' },
      [`${at}: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath`],
    ],
  ])('%s', (_, more, want) => {
    expect(messages(certificate(more))).toEqual(want);
  });
});
