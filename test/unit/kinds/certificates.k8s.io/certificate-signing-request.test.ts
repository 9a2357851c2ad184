import { expect, test } from '@jest/globals';
import { certificateSigningRequestStrategy as strategy } from '../../../../runtime/kinds/certificates.k8s.io/certificate-signing-request.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import type { WriteContext } from '../../../../runtime/resources/rest.ts';
import { makeCertificateRequest } from '../../../support/certificate-request.ts';
import type { TestObject } from '../../../support/test-object.ts';

const { request } = makeCertificateRequest();
const valid = { request, usages: ['any'], signerName: 'a.b/c' };
const csr = (spec: object, status: object = {}): TestObject => ({
  metadata: { name: 'a' },
  spec: { ...valid, ...spec },
  status,
});
const condition = (type: string): object => ({ type, status: 'True' });

/** Objects that v1beta1 allowed and other servers stored. */
test.each<[string, TestObject]>([
  ['usages that nobody knows', csr({ usages: ['x'] })],
  ['a usage twice', csr({ usages: ['any', 'any'] })],
  ['the legacy signer', csr({ signerName: 'kubernetes.io/legacy-unknown' })],
  ['an approval and a denial', csr({}, { conditions: [condition('Approved'), condition('Denied')] })],
  ['a condition twice', csr({}, { conditions: [condition('a'), condition('a')] })],
  ['a condition without a type', csr({}, { conditions: [condition('')] })],
  ['a certificate that is none', csr({}, { certificate: Buffer.from('a').toString('base64') })],
])('%s: refused in a new request, but what is stored may stay', (_what, object) => {
  const messages = (old: TestObject | undefined): string[] => {
    const errors: FieldError[] = [];
    const context = { subresource: 'approval' } as WriteContext;
    if (old === undefined) strategy.validateCreate?.(object, errors, context);
    else strategy.validateUpdate?.(object, old, errors, context);
    return errors.map(fieldErrorMessage);
  };
  expect(messages(undefined)).toHaveLength(1);
  expect(messages(csr({}))).toHaveLength(1);
  expect(messages(object)).toEqual([]);
});
