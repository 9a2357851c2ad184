import { describe, expect, test } from '@jest/globals';
import { decodeAuthorizationConfiguration } from '../../../../runtime/authorization/configuration/authorization-configuration.ts';
import { validateAuthorizationConfiguration } from '../../../../runtime/authorization/configuration/validation.ts';
import { fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n';
const decode = (text: string) => decodeAuthorizationConfiguration(Buffer.from(head + text));
const problems = (authorizers: readonly object[]): readonly string[] =>
  validateAuthorizationConfiguration(decode(`authorizers: ${JSON.stringify(authorizers)}`)).map(fieldErrorMessage);

/** The path of an existing file. */
const kubeConfigFile = import.meta.filename;

const webhook = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
};
const withWebhook = (more: object): readonly object[] => [{ type: 'Webhook', name: 'w', webhook: { ...webhook, ...more } }];

describe('an AuthorizationConfiguration', () => {
  test('gets defaults where it says nothing', () => {
    expect(decode(`authorizers: ${JSON.stringify(withWebhook({}))}`).authorizers?.[0].webhook).toMatchObject({
      authorizedTTL: 300_000_000_000n,
      unauthorizedTTL: 30_000_000_000n,
      timeout: 3_000_000_000n,
      cacheAuthorizedRequests: true,
      cacheUnauthorizedRequests: true,
    });
    const own = withWebhook({ authorizedTTL: '1m', cacheAuthorizedRequests: false });
    expect(decode(`authorizers: ${JSON.stringify(own)}`).authorizers?.[0].webhook).toMatchObject({
      authorizedTTL: 60_000_000_000n,
      cacheAuthorizedRequests: false,
    });
  });

  test.each([
    ['authorizers: [{type: RBAC, webhok: {}}]', 'strict decoding error: unknown field "authorizers[0].webhok"'],
    ['authorizers: {}', 'json: cannot unmarshal object into Go struct field AuthorizationConfiguration.authorizers'],
    ['authorizers: [{webhook: {timeout: soon}}]', 'time: invalid duration "soon"'],
  ])('%j is refused', (text, message) => expect(() => decode(text)).toThrow(message));

  const at = 'authorizers[0]';
  test.each<[readonly object[], readonly string[]]>([
    [
      [
        { type: 'Node', name: 'n' },
        { type: 'RBAC', name: 'r' },
      ],
      [],
    ],
    [[...withWebhook({}), { type: 'Webhook', name: 'w2', webhook }], []],
    [[], ['authorizers: Required value: at least one authorization mode must be defined']],
    [[{ name: 'x' }], [`${at}.type: Required value`]],
    [
      [{ type: 'Magic', name: 'x' }],
      [`${at}.type: Unsupported value: "Magic": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"`],
    ],
    [
      [
        { type: 'RBAC', name: 'a' },
        { type: 'RBAC', name: 'b' },
      ],
      ['authorizers[1].type: Duplicate value: "RBAC"'],
    ],
    [[{ type: 'RBAC' }], [`${at}.name: Required value`]],
    [
      [
        { type: 'RBAC', name: 'a' },
        { type: 'Node', name: 'a' },
      ],
      ['authorizers[1].name: Duplicate value: "a"'],
    ],
    [
      [{ type: 'RBAC', name: 'A_' }],
      [
        `${at}.name: Invalid value: "A_": authorizer name is invalid: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    [[{ type: 'RBAC', name: 'a', webhook }], [`${at}.webhook: Invalid value: "non-null": may only be specified when type=Webhook`]],
    [[{ type: 'Webhook', name: 'a' }], [`${at}.webhook: Required value: required when type=Webhook`]],
    [withWebhook({ timeout: '0s' }), [`${at}.timeout: Required value`]],
    [withWebhook({ timeout: '31s' }), [`${at}.timeout: Invalid value: "31s": must be > 0s and <= 30s`]],
    [withWebhook({ authorizedTTL: '-1s' }), [`${at}.authorizedTTL: Invalid value: "-1s": must be > 0s`]],
    [
      withWebhook({ subjectAccessReviewVersion: 'v2' }),
      [`${at}.subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"`],
    ],
    [withWebhook({ failurePolicy: '' }), [`${at}.failurePolicy: Required value`]],
    [withWebhook({ connectionInfo: {} }), [`${at}.connectionInfo.type: Required value`]],
    [
      withWebhook({ connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/x' } }),
      [`${at}.connectionInfo.kubeConfigFile: Invalid value: "/x": can only be set when type=KubeConfigFile`],
    ],
    [
      withWebhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'x' } }),
      [`${at}.connectionInfo.kubeConfigFile: Invalid value: "x": must be an absolute path`],
    ],
    [
      withWebhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/nowhere/x' } }),
      [`${at}.connectionInfo.kubeConfigFile: Invalid value: "/nowhere/x": error loading file: stat /nowhere/x: no such file or directory`],
    ],
    [
      withWebhook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/' } }),
      [`${at}.connectionInfo.kubeConfigFile: Invalid value: "/": must be a regular file`],
    ],
    [
      withWebhook({ matchConditions: [{ expression: 'true' }] }),
      [`${at}.matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified`],
    ],
    [
      withWebhook({
        matchConditionSubjectAccessReviewVersion: 'v1',
        matchConditions: [{ expression: 'true' }, { expression: ' ' }, { expression: 'true' }, { expression: '1' }],
      }),
      [
        `${at}.matchConditions[1].expression: Required value`,
        `${at}.matchConditions[2].expression: Duplicate value: "true"`,
        `${at}.matchConditions[3].expression: Invalid value: "1": must evaluate to bool but got int`,
      ],
    ],
    [
      withWebhook({
        matchConditionSubjectAccessReviewVersion: 'v1',
        matchConditions: Array.from({ length: 65 }, (_, at) => ({ expression: `${at} == 0` })),
      }),
      [`${at}.matchConditions: Too many: 65: must have at most 64 items`],
    ],
  ])('%j has the problems %j', (authorizers, want) => expect(problems(authorizers)).toEqual(want));
});
