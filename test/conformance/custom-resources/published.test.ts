import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { describeShared } from '../../support/shared.ts';
import { type Any, conditionOf, DefinitionFixture, definitions } from './definition-fixture.ts';

const golden = fileURLToPath(new URL('../../golden/published/', import.meta.url));
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The documents of Kubernetes' own server for real projects' definitions, without descriptions. */
describeShared('discovery and OpenAPI of custom resources equal those of Kubernetes', (shared) => {
  const fixture = DefinitionFixture.forSuite();

  test.each(readdirSync(golden))('%s', async (name) => {
    const { file, ...published } = JSON.parse(readFileSync(join(golden, name), 'utf8'));
    const text = readFileSync(join(shared, 'corpus/crds', file), 'utf8');
    const { metadata, spec } = await fixture.ok('POST', definitions, text, 'application/yaml');
    await fixture.until(`${definitions}/${metadata.name}`, (crd) => conditionOf(crd, 'Established')?.status === 'True');
    const { items } = (await fixture.get('/apis', {}, aggregated)).json;
    const found: Any = {
      group: (await fixture.get(`/apis/${spec.group}`)).json,
      aggregated: items.find((one: Any) => one.metadata.name === spec.group),
      resources: {},
      openapi: {},
      openapiV2: ownV2((await fixture.get('/openapi/v2')).json, published.openapiV2),
    };
    for (const at of Object.keys(published.openapi)) {
      found.resources[at] = (await fixture.get(`/apis/${spec.group}/${at}`)).json;
      found.openapi[at] = ownFacts((await fixture.get(`/openapi/v3/apis/${spec.group}/${at}`)).json);
    }
    expect(found).toEqual(published);
    const at = Object.keys(published.openapi)[0];
    const { schemas } = (await fixture.get(`/openapi/v3/apis/${spec.group}/${at}`)).json.components;
    const kinds = schemas['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions']['x-kubernetes-group-version-kind'];
    const groups = kinds.map(({ group }: Any) => group);
    expect(groups).toContain('apps');
    expect(groups).not.toContain('admission.k8s.io');
  });
});

/** Removes Kubernetes' schemas. */
function ownFacts(document: Any): Any {
  const { schemas } = document.components;
  const own = Object.entries(schemas).filter(([name]) => !name.startsWith('io.k8s.'));
  return withoutDescriptions({ ...document, components: { schemas: Object.fromEntries(own) } });
}

/** Returns the wanted members, and others of the same names. The names of shared parameters depend on descriptions. */
function ownV2({ paths, definitions: schemas, parameters }: Any, want: Any): Any {
  const folder = Object.keys(want.paths)[0].split('/', 3).join('/');
  const own = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith(`${folder}/`)));
  const resolved = JSON.parse(JSON.stringify(own), (_, inner) => parameters[sharedName(inner)] ?? inner);
  const kinds = Object.keys(want.definitions).map((name) => [name, schemas[name]]);
  return withoutDescriptions({ paths: resolved, definitions: Object.fromEntries(kinds) });
}

const sharedName = (value: Any): string => /^#\/parameters\/(.+)$/.exec(value?.$ref ?? '')?.[1] ?? '';

function withoutDescriptions(value: Any): Any {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, inner]) => name !== 'description' || typeof inner !== 'string');
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutDescriptions(inner)]));
}
