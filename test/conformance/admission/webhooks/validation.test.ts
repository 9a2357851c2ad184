import { describe, expect, test } from '@jest/globals';
import { rule } from '../../../support/admission-webhook.ts';
import { WebhookFixture } from './webhook-fixture.ts';

const fixture = WebhookFixture.forSuite();
const clientConfig = { url: 'https://example.com/hook' };
const service = { name: 'hook', namespace: 'default' };
const conditions = (count: number): object[] => Array.from({ length: count }, (_, n) => ({ name: `c${n}`, expression: 'true' }));

describe.each(['Mutating', 'Validating'] as const)('the configuration of a %s webhook', (kind) => {
  test.each<[about: string, fields: object, errors: string[]]>([
    ['a name without dots', { name: 'hook' }, ['name: should be a domain with at least three segments separated by dots']],
    ['no rules', { rules: [] }, []],
    ['no resources', { rules: [{ ...rule([]) }] }, ['rules[0].resources: Required value']],
    [
      'a resource and its subresources',
      { rules: [rule(['pods/*', 'pods/log'])] },
      [`rules[0].resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`],
    ],
    [
      'an unknown operation',
      { rules: [rule('pods', 'GET')] },
      [`rules[0].operations[0]: Unsupported value: "GET": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`],
    ],
    ['side effects', { sideEffects: 'Some' }, ['sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"']],
    ['no word about side effects', { sideEffects: undefined }, ['sideEffects: Required value: must specify one of None, NoneOnDryRun']],
    ['a long timeout', { timeoutSeconds: 31 }, ['timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds']],
    [
      'an unknown failure policy',
      { failurePolicy: 'Maybe' },
      ['failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    ],
    [
      'no version of reviews',
      { admissionReviewVersions: [] },
      ['admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      'only unknown versions of reviews',
      { admissionReviewVersions: ['v7'] },
      ['admissionReviewVersions: Invalid value: ["v7"]: must include at least one of v1, v1beta1'],
    ],
    ['a version twice', { admissionReviewVersions: ['v1', 'v1'] }, ['admissionReviewVersions[1]: Invalid value: "v1": duplicate version']],
    ['neither URL nor service', { clientConfig: {} }, ['clientConfig: Required value: exactly one of url or service is required']],
    [
      'a URL without TLS',
      { clientConfig: { url: 'http://example.com' } },
      [`clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`],
    ],
    [
      'a URL with more than a host and a path',
      { clientConfig: { url: 'https://me:pw@example.com/x?q=1#f' } },
      [
        'clientConfig.url: Invalid value: "me:pw": user information is not permitted in the URL',
        'clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
        'clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
      ],
    ],
    [
      'a port that does not exist',
      { clientConfig: { service: { ...service, port: 70_000 } } },
      ['clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive'],
    ],
    [
      'an empty step in a path',
      { clientConfig: { service: { ...service, path: '/a//b' } } },
      ['clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty'],
    ],
    ['64 conditions', { matchConditions: conditions(64) }, []],
    ['65 conditions', { matchConditions: conditions(65) }, ['matchConditions: Too many: 65: must have at most 64 items']],
    [
      'a condition that is no boolean',
      { matchConditions: [{ name: 'c', expression: '"a"' }] },
      ['matchConditions[0].expression: Invalid value: "\\"a\\"": must evaluate to bool but got string'],
    ],
    [
      'conditions with one name',
      { matchConditions: [...conditions(1), ...conditions(1)] },
      ['matchConditions[1].name: Duplicate value: "c0"'],
    ],
  ])('with %s is judged as upstream', async (_about, fields, errors) => {
    const body = fixture.configuration(kind, 'judged', [{ rules: [rule('pods')], clientConfig, ...fields }]);
    const { status, json } = await fixture.send('POST', `${fixture.path(kind)}?dryRun=All`, body);
    if (errors.length === 0) return expect(status).toBe(201);
    const messages = json.details.causes.map(({ field, message }: Record<string, string>) => `${field}: ${message}`);
    expect(messages.map((text: string) => text.replace('webhooks[0].', ''))).toEqual(errors.map(withInvalid));
  });

  test('names each webhook once', async () => {
    const webhook = { rules: [rule('pods')], clientConfig, name: 'same.example.com' };
    const { json } = await fixture.send('POST', fixture.path(kind), fixture.configuration(kind, 'twice', [webhook, webhook]));
    expect(json.details.causes).toMatchObject([{ field: 'webhooks[1].name', message: 'Duplicate value: "same.example.com"' }]);
  });
});

/** The causes of names include the invalid value. */
const withInvalid = (error: string): string => error.replace('name: should', 'name: Invalid value: "hook": should');
