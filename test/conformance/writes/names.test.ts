import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../generated/v1.35/catalog.ts';
import { formatGroupResource, formatGroupVersion } from '../../../runtime/machinery/gvk.ts';
import { WriteFixture } from '../../support/write-fixture.ts';
import { leastObjects } from './kind-objects.ts';

/** The errors of a naming rule, as causes of a Status. */
interface Rule {
  readonly of: ReadonlySet<string>;
  readonly rejected: readonly (readonly [name: string, message: string])[];
}

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const long = (length: number): string => 'x'.repeat(length);

const segments: Rule = {
  of: new Set([
    'events',
    'clusterrolebindings.rbac.authorization.k8s.io',
    'clusterroles.rbac.authorization.k8s.io',
    'poddisruptionbudgets.policy',
    'rolebindings.rbac.authorization.k8s.io',
    'roles.rbac.authorization.k8s.io',
  ]),
  rejected: [
    ['a%b', "may not contain '%'"],
    ['a/b', "may not contain '/'"],
    ['..', "may not be '..'"],
  ],
};
const rules: readonly Rule[] = [
  segments,
  {
    of: new Set(['namespaces', 'statefulsets.apps']),
    rejected: [
      ['a.b', 'must not contain dots'],
      ['Upper', label],
      [long(64), 'must be no more than 63 characters'],
    ],
  },
  {
    of: new Set(['services']),
    rejected: [
      ['1st', label1035],
      ['a.b', label1035],
      [long(64), 'must be no more than 63 characters'],
    ],
  },
];
const usual: Rule['rejected'] = [
  ['Not_Valid', subdomain],
  ['-a', subdomain],
  ['a..b', subdomain],
  [long(254), 'must be no more than 253 characters'],
];
/** Kinds with the messages of upstream's newer naming rules. (ValidateObjectMetaWithOpts) */
const longNames: Rule = {
  of: new Set(['replicationcontrollers', 'deviceclasses.resource.k8s.io']),
  rejected: [...usual.slice(0, -1), [long(254), 'must be no more than 253 bytes']],
};
/** Kinds named after their content, by their own rules. Core events allow any name that a path allows. */
const others = new Set(['events', 'ipaddresses.networking.k8s.io', 'customresourcedefinitions.apiextensions.k8s.io']);

const cases = catalog.groupVersions
  .flatMap(({ resources }) => resources)
  .map((facts) => [`${formatGroupVersion(facts)} ${facts.resource}`, facts] as const)
  .filter(([title, facts]) => leastObjects[title] !== undefined && !others.has(formatGroupResource(facts)));

describe('names', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test.each(cases)('of %s are validated by their rule', async (title, facts) => {
    const apiVersion = formatGroupVersion(facts);
    const root = facts.group === '' ? `/api/${facts.version}` : `/apis/${apiVersion}`;
    const collection = `${root}/${facts.namespaced ? 'namespaces/default/' : ''}${facts.resource}`;
    const { rejected } = [...rules, longNames].find(({ of }) => of.has(formatGroupResource(facts))) ?? {
      rejected: usual,
    };
    for (const [name, message] of rejected) {
      const object = { apiVersion, kind: facts.kind, ...leastObjects[title], metadata: { name } };
      const { json } = await fixture.create(collection, object);
      expect([json.code, json.reason, json.details.name, json.details.kind]).toEqual([422, 'Invalid', name, facts.kind]);
      expect(json.details.causes).toContainEqual({
        reason: 'FieldValueInvalid',
        field: 'metadata.name',
        message: `Invalid value: "${name}": ${message}`,
      });
    }
    const nameless = { apiVersion, kind: facts.kind, ...leastObjects[title], metadata: {} };
    const { json } = await fixture.create(collection, nameless);
    // a missing service name is reported first for the record of its address
    if (title === 'v1 services') expect(json.message).toContain('spec.parentRef.name: Required value');
    else if (title === 'v1 limitranges') expect(json.metadata.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    else {
      expect(json.details.causes).toContainEqual({
        reason: 'FieldValueRequired',
        field: 'metadata.name',
        message: 'Required value: name or generateName is required',
      });
    }
  });
});
