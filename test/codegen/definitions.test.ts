import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateCommand } from '../../codegen/commands/generate.ts';
import { generatorServices } from '../../runtime/cli/generator-services.ts';

let folder: string;
let stderr: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeloom-definitions-'));
  stderr = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Generates from definitions, and resolves to what is wrong, without the temporary folder. */
async function faultsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const crd = Object.keys(files).map((name) => join(folder, name));
  const out = join(folder, 'out');
  expect(await generateCommand(['--client', '--crd', crd.join(','), '--out', out], generatorServices)).toBe(1);
  expect(await readdir(folder)).toEqual(Object.keys(files).sort());
  return stderr
    .replaceAll(`${folder}/`, '')
    .trim()
    .split('\n')
    .filter((line) => !/^\d+ problems?$/.test(line));
}

const pets = `# pets of a zoo
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: pets.zoo.example.com
spec:
  group: zoo.example.com
  scope: Namespaced
  names: { plural: pets, kind: Pet }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                a.b: { type: string }
`;
const version = 'spec.versions[0]';
const schema = `${version}.schema.openAPIV3Schema`;
const inSchema = '/spec/versions/0/schema/openAPIV3Schema';
const changed = (from: string, to: string): string => {
  expect(pets).toContain(from);
  return pets.replace(from, to);
};
const typed = (text: string): string => changed('{ type: string }', `{ type: string, ${text} }`);

describe('faults of definitions are told with their file and line, and nothing is written:', () => {
  test.each<[string, () => Readonly<Record<string, string>>, readonly string[]]>([
    [
      'metadata',
      () => ({ 'x.yaml': changed('  name: pets', '  lables: {}\n  name: pets') }),
      ['x.yaml:5#/metadata/lables: unknown field "metadata.lables"'],
    ],
    ['the top', () => ({ 'x.yaml': changed('spec:', 'spce:\n  a: 1\nspec:') }), ['x.yaml:6#/spce: unknown field "spce"']],
    [
      'names',
      () => ({ 'x.yaml': changed('kind: Pet', 'kind: Pet, shortName: p') }),
      ['x.yaml:9#/spec/names/shortName: unknown field "spec.names.shortName"'],
    ],
    [
      'a version',
      () => ({ 'x.yaml': changed('served: true', 'served: true\n      columns:\n        - a') }),
      [`x.yaml:13#/spec/versions/0/columns: unknown field "${version}.columns"`],
    ],
    [
      'a schema',
      () => ({ 'x.yaml': changed('          type: object', '          propertys:\n            a: {}\n          type: object') }),
      [`x.yaml:16#${inSchema}/propertys: unknown field "${schema}.propertys"`],
    ],
    [
      'a property with dots',
      () => ({ 'x.yaml': typed('minLenth: 3') }),
      [`x.yaml:21#${inSchema}/properties/spec/properties/a.b/minLenth: unknown field "${schema}.properties.spec.properties.a.b.minLenth"`],
    ],
    [
      'JSON',
      () => ({ 'x.json': '{\n "kind": "CustomResourceDefinition",\n "apiVersion": "apiextensions.k8s.io/v1",\n "spce": {}\n}' }),
      ['x.json:4#/spce: unknown field "spce"'],
    ],
    [
      'several documents',
      () => ({ 'x.yaml': `${pets}---\nkind: Other\nspce: {}\n---\n${changed('spec:', 'spce: {}\nspec:')}` }),
      ['x.yaml:31#/spce: unknown field "spce"'],
    ],
    [
      'several files',
      () => ({ 'x.yaml': changed('spec:', 'spce: {}\nspec:'), 'y.yaml': changed('spec:', 'sepc: {}\nspec:') }),
      ['x.yaml:6#/spce: unknown field "spce"', 'y.yaml:6#/sepc: unknown field "sepc"'],
    ],
    [
      'an anchor',
      () => ({ 'x.yaml': changed('{ type: string }', '&a { type: string, minLenth: 1 }\n                c: *a') }),
      [
        `x.yaml:21#${inSchema}/properties/spec/properties/a.b/minLenth: unknown field "${schema}.properties.spec.properties.a.b.minLenth"`,
        `x.yaml:21#${inSchema}/properties/spec/properties/c/minLenth: unknown field "${schema}.properties.spec.properties.c.minLenth"`,
      ],
    ],
  ])('unknown members in %s', async (_what, files, wanted) => {
    expect(await faultsOf(files())).toEqual(wanted);
  });

  test.each<[string, () => Readonly<Record<string, string>>, readonly string[]]>([
    [
      'a scope',
      () => ({ 'x.yaml': changed('Namespaced', 'Local') }),
      ['x.yaml:8#/spec/scope: Unsupported value: "Local": supported values: "Cluster", "Namespaced"'],
    ],
    [
      'a type',
      () => ({ 'x.yaml': changed('type: string', 'type: text') }),
      [
        `x.yaml:21#${inSchema}/properties/spec/properties/a.b/type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
      ],
    ],
    [
      'names that are taken',
      () => ({ 'x.yaml': pets, 'y.yaml': pets.replace('pets.zoo', 'animals.zoo').replace('plural: pets', 'plural: animals') }),
      ['y.yaml:9#/spec/names: "PetList" is already in use'],
    ],
    [
      'a definition twice',
      () => ({ 'x.yaml': pets, 'y.yaml': pets }),
      ['y.yaml:5#/metadata/name: customresourcedefinitions.apiextensions.k8s.io "pets.zoo.example.com" already exists'],
    ],
    [
      'another apiVersion',
      () => ({ 'x.yaml': changed('k8s.io/v1', 'k8s.io/v1beta1') }),
      [
        'x.yaml:2#/apiVersion: the API version in the data (apiextensions.k8s.io/v1beta1) does not match the expected API version (apiextensions.k8s.io/v1)',
      ],
    ],
    [
      'a list',
      () => ({ 'x.yaml': 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: []' }),
      [
        'x.yaml:1#: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal array into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec',
      ],
    ],
    [
      'YAML that ends',
      () => ({ 'x.yaml': 'kind: CustomResourceDefinition\nspec: {' }),
      ['kubeloom generate: x.yaml:2:8: Flow map in block collection must be sufficiently indented and end with a }'],
    ],
    ['another kind', () => ({ 'x.yaml': 'kind: List' }), ['kubeloom generate: x.yaml has no CustomResourceDefinition']],
  ])('%s', async (_what, files, wanted) => {
    expect(await faultsOf(files())).toEqual(wanted);
  });
});
