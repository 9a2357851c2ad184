import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { caBundleProblem } from '../../../../../runtime/client/webhook/validation.ts';
import { validateCustomResourceDefinitionStatusUpdate } from '../../../../../runtime/extensions/crd/validation/index.ts';
import { type FieldError, fieldErrorMessage } from '../../../../../runtime/machinery/validation/field-error.ts';
import { definition, errorsOf, oneVersion, updateErrorsOf, withSchema } from './definitions.ts';

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };

test('accepts a valid definition', () => {
  expect(errorsOf(definition())).toEqual([]);
});

describe('names', () => {
  test.each<[string, object, string[]]>([
    ['of capitals', { ...names, plural: 'Widgets' }, [`spec.names.plural: Invalid value: "Widgets": ${label}`]],
    [
      'absent',
      { plural: 'widgets' },
      ['spec.names.singular: Required value', 'spec.names.kind: Required value', 'spec.names.listKind: Required value'],
    ],
    [
      'of a kind',
      { ...names, kind: 'Wid_get' },
      [`spec.names.kind: Invalid value: "Wid_get": may have mixed case, but should otherwise match: ${label}`],
    ],
    [
      'of a kind and its list alike',
      { ...names, listKind: 'Widget' },
      ['spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
    ],
    ['short', { ...names, shortNames: ['wd', 'W'] }, [`spec.names.shortNames[1]: Invalid value: "W": ${label}`]],
    ['categories', { ...names, categories: ['all', '1'] }, [`spec.names.categories[1]: Invalid value: "1": ${label}`]],
  ])('%s', (_name, value, want) => {
    expect(errorsOf(definition({}, { names: value }))).toEqual(want);
  });
});

describe('group, scope and versions', () => {
  const none = { schema: undefined };
  test.each<[string, object, string[]]>([
    ['no scope', { scope: '' }, ['spec.scope: Required value']],
    ['another scope', { scope: 'Galaxy' }, ['spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"']],
    [
      'no versions',
      { versions: [] },
      [
        'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
        'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
      ],
    ],
    ['no schema', { versions: [oneVersion('v1', none)] }, ['spec.versions[0].schema.openAPIV3Schema: Required value']],
    [
      'preserveUnknownFields',
      { preserveUnknownFields: true },
      [
        'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ],
    ],
    ["a version's name", { versions: [oneVersion('v1'), oneVersion('V2')] }, [`spec.versions[1].name: Invalid value: "V2": ${label}`]],
  ])('%s', (_name, spec, want) => {
    expect(errorsOf(definition({}, spec))).toEqual(want);
  });

  test('two versions cannot have one name', () => {
    const [first, ...others] = errorsOf(definition({}, { versions: [oneVersion('v1'), oneVersion('v1', { storage: false })] }));
    expect(first).toMatch(/^spec\.versions: Invalid value: \[.*\]: must contain unique version names$/);
    expect(others).toEqual([]);
  });

  test.each([
    ['', 'spec.group: Required value'],
    ['example', 'spec.group: Invalid value: "example": should be a domain with at least one dot'],
  ])('group %p', (group, want) => {
    expect(errorsOf({ ...definition({}, { group }), metadata: { name: `widgets.${group}` } })).toEqual([want]);
  });
});

describe('deprecation', () => {
  test.each<[object, string[]]>([
    [{ deprecated: true, deprecationWarning: 'use v2' }, []],
    [{ deprecationWarning: 'x' }, ['can only be set for deprecated versions']],
    [{ deprecated: true, deprecationWarning: '' }, ['must not be an empty string']],
    [
      { deprecated: true, deprecationWarning: 'ä\n' },
      ['must only contain printable UTF-8 characters; non-printable character found at index 2'],
    ],
    [{ deprecated: true, deprecationWarning: 'x'.repeat(257) }, ['must be <= 256 characters long']],
  ])('%j', (version, want) => {
    const found = errorsOf(definition(version));
    expect(found.map((text) => text.split('": ')[1])).toEqual(want);
    for (const text of found) expect(text).toMatch(/^spec\.versions\[0\]\.deprecationWarning: Invalid value: /);
  });
});

describe("the approval of Kubernetes' own groups", () => {
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  const at = 'metadata.annotations[api-approved.kubernetes.io]';
  const protectedBy = (value?: string) => ({
    ...definition({}, { group: 'x.k8s.io' }),
    metadata: {
      name: 'widgets.x.k8s.io',
      ...(value === undefined ? {} : { annotations: { 'api-approved.kubernetes.io': value } }),
    },
  });
  test.each<[string | undefined, string[]]>([
    ['https://github.com/kubernetes/kubernetes/pull/1', []],
    ['unapproved, a test', []],
    [undefined, [`${at}: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", ${see}`]],
    [
      'soon',
      [
        `${at}: Invalid value: "soon": protected groups must have approval annotation "api-approved.kubernetes.io" with either a URL or a reason starting with "unapproved", ${see}`,
      ],
    ],
  ])('%p', (value, want) => {
    expect(errorsOf(protectedBy(value))).toEqual(want);
    expect(updateErrorsOf(protectedBy(value), protectedBy(value))).toEqual([]);
  });
});

describe('conversion', () => {
  const webhook = (clientConfig: object | undefined, conversionReviewVersions: string[] = ['v1']) => ({
    strategy: 'Webhook',
    webhook: { clientConfig, conversionReviewVersions },
  });
  const at = 'spec.conversion.webhookClientConfig';
  const form = 'desired format: https://host[/path]';
  test.each<[string, object, string[]]>([
    ['by url', webhook({ url: 'https://a.b/c' }), []],
    ['by service', webhook({ service: { name: 'a', namespace: 'b', path: '/c', port: 443 } }), []],
    ['no strategy', { strategy: '' }, ['spec.conversion.strategy: Required value']],
    [
      'another strategy',
      { strategy: 'Magic' },
      ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
    ],
    [
      'a webhook for None',
      { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } },
      [
        `${at}: Forbidden: should not be set when strategy is not set to Webhook`,
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
    [
      'no client',
      { strategy: 'Webhook' },
      [`${at}: Required value: required when strategy is set to Webhook`, 'spec.conversion.conversionReviewVersions: Required value'],
    ],
    ['neither', webhook({}), [`${at}: Required value: exactly one of url or service is required`]],
    [
      'both',
      webhook({ url: 'https://a', service: { name: 'a', namespace: 'b' } }),
      [`${at}: Required value: exactly one of url or service is required`],
    ],
    ['http', webhook({ url: 'http://a' }), [`${at}.url: Invalid value: "http": 'https' is the only allowed URL scheme; ${form}`]],
    ['no host', webhook({ url: 'https:///a' }), [`${at}.url: Invalid value: "": host must be specified; ${form}`]],
    [
      'user, query and fragment',
      webhook({ url: 'https://u:p@a/?q#f' }),
      [
        `${at}.url: Invalid value: "u:p": user information is not permitted in the URL`,
        `${at}.url: Invalid value: "f": fragments are not permitted in the URL`,
        `${at}.url: Invalid value: "q": query parameters are not permitted in the URL`,
      ],
    ],
    [
      'no URL',
      webhook({ url: 'https://%' }),
      [`${at}.url: Required value: url must be a valid URL: parse "https://%": invalid URL escape "%"; ${form}`],
    ],
    [
      'port and path',
      webhook({ service: { name: 'a', namespace: 'b', port: 0, path: 'x//' } }),
      [
        `${at}.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
        `${at}.service.path: Invalid value: "x//": must start with a '/'`,
        `${at}.service.path: Invalid value: "x//": segment[0] may not be empty`,
        `${at}.service.path: Invalid value: "x//": segment[1] may not be empty`,
      ],
    ],
    [
      'review versions',
      webhook({ url: 'https://a' }, ['v2', 'v2']),
      [
        'spec.conversion.conversionReviewVersions[1]: Invalid value: "v2": duplicate version',
        'spec.conversion.conversionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
      ],
    ],
  ])('%s', (_name, conversion, want) => {
    expect(errorsOf(definition({}, { conversion }))).toEqual(want);
  });

  test('a CA bundle is validated once the definition is established', () => {
    const status = { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] };
    const bad = definition({}, { conversion: webhook({ url: 'https://a', caBundle: 'Cg==' }) }, { status });
    const good = definition({}, { conversion: webhook({ url: 'https://a' }) }, { status });
    expect(errorsOf(bad)).toEqual([]);
    expect(updateErrorsOf(bad, good)).toEqual([
      `${at}.caBundle: Invalid value: "Cg==": unable to load root certificates: unable to parse bytes as PEM block`,
    ]);
    expect(updateErrorsOf(bad, bad)).toEqual([]);
  });

  const pem = (type: string, body: string): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
  const unable = 'unable to load root certificates:';
  test.each([
    ['nothing', '', undefined],
    ['white space', '\n', `${unable} unable to parse bytes as PEM block`],
    ['no certificate', pem('KEY', 'aGk='), `${unable} no valid certificate authority data seen`],
    ['text behind a key', `${pem('KEY', 'aGk=')}x`, `${unable} unable to parse bytes as PEM block`],
    ['a malformed certificate', pem('CERTIFICATE', 'aGk='), `${unable} failed to parse certificate: x509: malformed certificate`],
  ])('a CA bundle of %s', (_name, text, want) => {
    expect(caBundleProblem(Buffer.from(text).toString('base64'))).toBe(want);
  });
});

describe('printer columns', () => {
  const oneOf = 'must be one of boolean,date,integer,number,string';
  test.each<[string, object, string[]]>([
    ['good', { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }, []],
    ['empty', {}, ['name: Required value', `type: Required value: ${oneOf}`, 'JSONPath: Required value']],
    [
      'type and format',
      { name: 'A', type: 'text', format: 'x', jsonPath: '.a' },
      [
        `type: Invalid value: "text": ${oneOf}`,
        'format: Invalid value: "x": must be one of byte,date,date-time,double,float,int32,int64,password',
      ],
    ],
    [
      'a path without a dot',
      { name: 'A', type: 'string', jsonPath: 'a' },
      ['JSONPath: Invalid value: "a": must be a simple json path starting with .'],
    ],
  ])('%s', (_name, column, want) => {
    const found = errorsOf(definition({ additionalPrinterColumns: [column] }));
    expect(found).toEqual(want.map((text) => `spec.additionalPrinterColumns[0].${text}`));
  });

  test('that differ by version are reported with their version', () => {
    const versions = [oneVersion('v1'), oneVersion('v2', { additionalPrinterColumns: [{ name: 'A', type: 'string' }] })];
    expect(errorsOf(definition({}, { versions }))).toEqual(['spec.versions[1].additionalPrinterColumns[0].JSONPath: Required value']);
  });
});

describe('subresources', () => {
  test.each<[string, object, string[]]>([
    ['good', { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', labelSelectorPath: '.status.b' }, []],
    ['empty', {}, ['specReplicasPath: Required value', 'statusReplicasPath: Required value']],
    [
      'paths outside of spec and status',
      { specReplicasPath: '.a', statusReplicasPath: '.spec.a', labelSelectorPath: '.a' },
      [
        'specReplicasPath: Invalid value: ".a": should be a json path under .spec',
        'statusReplicasPath: Invalid value: ".spec.a": should be a json path under .status',
        'labelSelectorPath: Invalid value: ".a": should be a json path under either .spec or .status',
      ],
    ],
    [
      'no path',
      { specReplicasPath: 'spec.a', statusReplicasPath: '.status.a' },
      ['specReplicasPath: Invalid value: "spec.a": must be a simple json path starting with .'],
    ],
  ])('scale: %s', (_name, scale, want) => {
    expect(errorsOf(definition({ subresources: { scale } }))).toEqual(want.map((text) => `spec.subresources.scale.${text}`));
  });

  test('status requires a root that the schema allows to omit', () => {
    const found = errorsOf(withSchema({ type: 'object', maxProperties: 3 }, { subresources: { status: {} } }));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^spec\.validation\.openAPIV3Schema: Invalid value: .*: only \[Description Type .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
    );
  });
});

describe('selectable fields', () => {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          n: { type: 'number' },
          list: { type: 'array', items: { type: 'string' } },
        },
      },
      metadata: { type: 'object', properties: { name: { type: 'string' } } },
    },
  };
  const scalar = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
  test.each<[string, object[], string[]]>([
    ['good', [{ jsonPath: '.spec.a' }], []],
    ['empty', [{}], ['[0].jsonPath: Required value']],
    ['a number', [{ jsonPath: '.spec.n' }], [`[0].jsonPath: Invalid value: ".spec.n": ${scalar}`]],
    [
      'of metadata',
      [{ jsonPath: '.metadata.name' }],
      ['[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata'],
    ],
    ['twice', [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }], ['[1].jsonPath: Duplicate value: ".spec.a"']],
  ])('%s', (_name, selectableFields, want) => {
    expect(errorsOf(withSchema(schema, { selectableFields }))).toEqual(want.map((text) => `spec.selectableFields${text}`));
  });

  test('report a problem of the schema once more if it cannot be structural', () => {
    const bad = {
      type: 'object',
      properties: { a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } },
    };
    expect(errorsOf(withSchema(bad, { selectableFields: [{ jsonPath: '' }] }))).toEqual([
      'spec.validation.openAPIV3Schema.properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
      `spec.schema.openAPIV3Schema: Invalid value: "": internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined`,
      'spec.selectableFields[0].jsonPath: Required value',
    ]);
  });

  test('are at most eight', () => {
    const properties = Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }]));
    const selectableFields = [...'abcdefghi'].map((name) => ({ jsonPath: `.${name}` }));
    const crd = withSchema({ type: 'object', properties }, { selectableFields });
    expect(errorsOf(crd)).toEqual(['spec.selectableFields: Too many: 9: must have at most 8 items']);
    expect(updateErrorsOf(crd, crd)).toEqual([]);
  });
});

describe('an update', () => {
  const established = { status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] } };
  test('cannot change what objects are stored by', () => {
    const old = definition({}, {}, established);
    const changed = definition(
      {},
      { scope: 'Cluster', group: 'other.com', names: { ...names, kind: 'Gadget', plural: 'gadgets' } },
      established,
    );
    expect(updateErrorsOf(changed, old)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
      'spec.group: Invalid value: "other.com": field is immutable',
      'spec.names.plural: Invalid value: "gadgets": field is immutable',
    ]);
  });

  test('can change the scope and the kind before it is established', () => {
    expect(updateErrorsOf(definition({}, { scope: 'Cluster' }), definition())).toEqual([]);
  });

  test('keeps versions at which objects are stored', () => {
    const versions = [oneVersion('v2', { storage: true })];
    expect(updateErrorsOf(definition({}, { versions }), definition())).toEqual([
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      expect.stringMatching(
        /^status\.storedVersions\[0\]: Invalid value: "v1": missing from spec\.versions; v1 was previously a storage version/,
      ),
    ]);
  });

  test('accepts invalid fields that were stored earlier', () => {
    const badType = withSchema({ type: 'object', properties: { x: { type: 'text' } } });
    expect(errorsOf(badType)).toHaveLength(1);
    expect(updateErrorsOf(badType, badType)).toEqual([]);
    expect(updateErrorsOf(badType, definition())).toHaveLength(1);
    const kept = definition({}, { preserveUnknownFields: true });
    expect(updateErrorsOf(kept, kept)).toEqual([]);
  });
});

test('a write of the status validates the accepted names', () => {
  const errors: FieldError[] = [];
  const crd = definition({}, {}, { status: { acceptedNames: { plural: 'X' } } });
  validateCustomResourceDefinitionStatusUpdate(crd as CustomResourceDefinition, errors);
  expect(errors.map(fieldErrorMessage)).toEqual([`status.acceptedNames.plural: Invalid value: "X": ${label}`]);
});
