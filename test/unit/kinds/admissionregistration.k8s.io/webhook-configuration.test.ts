import { expect, test } from '@jest/globals';
import { webhookConfigurationStrategy } from '../../../../runtime/kinds/admissionregistration.k8s.io/webhook-configuration.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import type { WriteContext } from '../../../../runtime/resources/rest.ts';
import type { TestObject } from '../../../support/test-object.ts';

const webhook = {
  name: 'a.b.c',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  clientConfig: { url: 'https://a' },
  namespaceSelector: {},
  objectSelector: {},
};
const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['-'] }] };
const configuration = (...webhooks: readonly object[]): TestObject => ({ metadata: { name: 'a' }, webhooks });

/** Objects that v1beta1 allowed and other servers stored. */
test.each<[string, object[]]>([
  ['side effects', [{ ...webhook, sideEffects: 'Some' }]],
  ['versions that nobody knows', [{ ...webhook, admissionReviewVersions: ['v0'] }]],
  ['a name twice', [webhook, webhook]],
  ['an invalid label value in a selector', [{ ...webhook, objectSelector: selector }]],
  ['match conditions that do not compile', [{ ...webhook, matchConditions: [{ name: 'a', expression: '1 +' }] }]],
])('%s: refused in a new configuration, but what is stored may stay', (_what, webhooks) => {
  const messages = (old: TestObject | undefined): string[] => {
    const errors: FieldError[] = [];
    const object = configuration(...webhooks);
    // the context is unused
    if (old === undefined) webhookConfigurationStrategy.validateCreate?.(object, errors, {} as WriteContext);
    else webhookConfigurationStrategy.validateUpdate?.(object, old, errors, {} as WriteContext);
    return errors.map(fieldErrorMessage);
  };
  expect(messages(undefined)).toHaveLength(1);
  expect(messages(configuration(webhook))).toHaveLength(1);
  expect(messages(configuration(...webhooks))).toEqual([]);
});
