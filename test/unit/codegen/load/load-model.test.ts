import { describe, expect, test } from '@jest/globals';
import { type LoadOptions, loadModel } from '../../../../codegen/load/load-model.ts';
import { isSchemaErrors, problemLine } from '../../../../codegen/load/schema-errors.ts';
import type { ApiModel } from '../../../../codegen/model/model.ts';
import {
  animalDocument,
  animalPaths,
  animalProto,
  animalSpecSchema,
  documentFile,
  type Files,
  protoFile,
  ref,
  writeFolder,
} from './small-schemas.ts';

const specId = 'com.example.zoo.v1.AnimalSpec';

async function load(files: Files, options: (dir: string) => LoadOptions = () => ({})): Promise<ApiModel> {
  const folder = await writeFolder(files);
  try {
    return await loadModel(folder.dir, options(folder.dir));
  } finally {
    await folder.remove();
  }
}

async function problemsOf(files: Files, options?: (dir: string) => LoadOptions): Promise<readonly string[]> {
  const error = await load(files, options).catch((thrown: unknown) => thrown);
  return isSchemaErrors(error) ? error.problems.map(problemLine) : [`no problems: ${String(error)}`];
}

describe('a user schemas folder', () => {
  test('with OpenAPI and proto: order and numbers of the proto, constraints of OpenAPI', async () => {
    const model = await load({ [documentFile]: animalDocument(), [protoFile]: animalProto });
    const spec = model.types.get(specId)!;
    expect(spec.fields.map((field) => [field.json, field.protoNumber, field.goType, field.pointer, field.omitEmpty])).toEqual([
      ['name', 1, 'string', true, true],
      ['legs', 2, 'int32', true, true],
      ['diet', 3, 'string', true, true],
      ['keepers', 4, '[]string', false, true],
    ]);
    expect(spec.fields.map((field) => field.default)).toEqual([undefined, 4, undefined, undefined]);
    expect(spec.fields.map((field) => field.enum)).toEqual([undefined, undefined, ['Meat', 'Plants'], undefined]);
    // a message always has all fields, so its schema does not show which are required
    expect(spec.rules).toEqual([{ field: 'name', check: 'required' }]);
    const animal = model.types.get('com.example.zoo.v1.Animal')!;
    expect(animal.schema?.properties).toMatchObject({
      spec: {
        properties: { name: { maxLength: 20, pattern: '^[a-z]+$' }, legs: { minimum: 0 }, keepers: { maxItems: 3 } },
      },
    });
  });

  test('names, verbs and scope of a resource come from its paths', async () => {
    const model = await load({ [documentFile]: animalDocument(), [protoFile]: animalProto });
    expect(model.release).toBe('zoo');
    expect(model.groupVersions.map(({ folder, served }) => [folder, served])).toEqual([['zoo.example.com/v1', true]]);
    expect(model.groupVersions[0].resources).toMatchObject([
      {
        plural: 'animals',
        singular: 'animal',
        kind: 'Animal',
        namespaced: false,
        verbs: ['get'],
        stored: false,
        storageVersion: 'v1',
      },
    ]);
    expect(model.operations).toEqual([{ id: 'readAnimal', method: 'get', path: '/apis/zoo.example.com/v1/animals/{name}', action: 'get' }]);
  });

  test('with OpenAPI alone: kind and apiVersion first, then the order of the document', async () => {
    const model = await load({ [documentFile]: animalDocument() });
    const animal = model.types.get('com.example.zoo.v1.Animal')!;
    expect(animal.fields.map(({ json, protoNumber }) => [json, protoNumber])).toEqual([
      ['kind', undefined],
      ['apiVersion', undefined],
      ['spec', undefined],
    ]);
  });

  test('an inline object schema becomes a type', async () => {
    const cage = { type: 'object', properties: { width: { type: 'number' } } };
    const schema = { type: 'object', properties: { cages: { type: 'array', items: cage } } };
    const model = await load({ [documentFile]: animalDocument({ [specId]: schema }) });
    expect(model.types.get(specId)!.fields[0].type).toEqual({
      kind: 'list',
      of: { kind: 'message', id: `${specId}Cages` },
    });
    expect(model.types.get(`${specId}Cages`)).toMatchObject({
      name: 'AnimalSpecCages',
      fields: [{ json: 'width', goType: 'float64' }],
    });
  });
});

describe('names', () => {
  test('an inline object does not take the type of a component with the name that it would have', async () => {
    const cage = { type: 'object', properties: { width: { type: 'number' } } };
    const schema = { type: 'object', properties: { cages: { type: 'array', items: cage } } };
    const other = { type: 'object', properties: { keeper: { type: 'string' } } };
    const model = await load({ [documentFile]: animalDocument({ [specId]: schema, [`${specId}Cages`]: other }) });
    const ref = model.types.get(specId)!.fields[0].type;
    expect(ref).toEqual({ kind: 'list', of: { kind: 'message', id: `${specId}Cages2` } });
    expect(model.types.get(`${specId}Cages2`)!.fields.map(({ json }) => json)).toEqual(['width']);
  });

  test.each([
    ['my-thing', 'MyThing'],
    ['class', 'Class'],
    ['Record', 'RecordType'],
    ['3d', 'T3d'],
    ['_x', 'X'],
    ['metav1', 'Metav1'],
  ])('the component %s is the type %s', async (component, name) => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const id = `com.example.zoo.v1.${component}`;
    const model = await load({ [documentFile]: animalDocument({ [id]: schema }) });
    expect(model.types.get(id)!.name).toBe(name);
  });
});

describe('overlays', () => {
  const overlaid = (overlay: string, more: Files = {}) => ({
    files: {
      [documentFile]: animalDocument(),
      [protoFile]: animalProto,
      'overlays/zoo.example.com/v1.yaml': overlay,
      ...more,
    },
    options: (dir: string): LoadOptions => ({ overlays: `${dir}/overlays` }),
  });

  test('add their facts to types and resources', async () => {
    const { files, options } = overlaid(`
types:
  AnimalSpec:
    openEnums: [diet]
    defaults: [{ field: diet, value: Plants }]
    rules: [{ field: legs, check: max, value: 8 }]
resources:
  animals: { shortNames: [an], stored: true, writeRules: { nameRule: dns-label } }
`);
    const model = await load(files, options);
    const spec = model.types.get(specId)!;
    expect(spec.defaults).toEqual([{ field: 'diet', value: 'Plants' }]);
    expect(spec.rules.at(-1)).toEqual({ field: 'legs', check: 'max', value: 8 });
    expect(spec.fields[2]).toMatchObject({ enum: ['Meat', 'Plants'], openEnum: true });
    const [animals] = model.groupVersions[0].resources;
    expect(animals).toMatchObject({
      shortNames: ['an'],
      stored: true,
      writeRules: { nameRule: 'dns-label', createOnUpdate: false },
    });
  });

  const stray = `
types:
  Plant: {}
  AnimalSpec:
    rules: [{ field: wings, check: required }]
resources:
  plants: {}
`;

  test('report all names that the schemas lack', async () => {
    const { files, options } = overlaid(stray, { 'overlays/moon/v1.yaml': 'types: {}' });
    expect(await problemsOf(files, options)).toEqual([
      'overlays/moon/v1.yaml#: the schemas have no group-version moon/v1',
      'overlays/zoo.example.com/v1.yaml#/types/Plant: zoo.example.com/v1 has no type Plant',
      'overlays/zoo.example.com/v1.yaml#/types/AnimalSpec/rules/0: AnimalSpec has no field wings',
      'overlays/zoo.example.com/v1.yaml#/resources/plants: zoo.example.com/v1 has no resource plants',
    ]);
  });

  const newer = `
types:
  AnimalSpec:
    rules: [{ field: legs, check: max, value: 8 }]
resources:
  animals: { shortNames: [an], storageVersion: v1beta1, deprecated: { in: '9.1' }, selectableFields: { spec.legs: spec.legs } }
`;

  describe('for another release follow a kind to a version that they do not name', () => {
    const files = (overlay: string, release = 'v9.9'): Files => ({
      [documentFile]: animalDocument(),
      [protoFile]: animalProto,
      'overlays/zoo.example.com/v1beta1.yaml': overlay,
      'overlays/release.yaml': `release: ${release}`,
    });
    const options = (dir: string): LoadOptions => ({ overlays: `${dir}/overlays`, release: 'v9.8' });

    test('with all but the names of versions', async () => {
      const model = await load(files(newer), options);
      expect(model.types.get(specId)!.rules.at(-1)).toEqual({ field: 'legs', check: 'max', value: 8 });
      const [animals] = model.groupVersions[0].resources;
      expect(animals).toMatchObject({
        shortNames: ['an'],
        storageVersion: 'v1',
        selectableFields: { 'spec.legs': 'spec.legs' },
      });
      expect(animals.deprecated).toBeUndefined();
    });

    test.each([
      ['a type', newer.replace('field: legs', 'field: wings'), { rules: 1, shortNames: 1 }],
      ['a resource', newer.replace('spec.legs: spec.legs', 'spec.legs: spec.wings'), { rules: 2, shortNames: 0 }],
    ])('unless %s lacks a field that is named', async (_, overlay, want) => {
      const model = await load(files(overlay), options);
      expect(model.types.get(specId)!.rules).toHaveLength(want.rules);
      expect(model.groupVersions[0].resources[0].shortNames).toHaveLength(want.shortNames);
    });

    test('but not in their own release', async () => {
      expect(await problemsOf(files(newer, 'v9.8'), options)).toEqual([
        'overlays/zoo.example.com/v1beta1.yaml#: the schemas have no group-version zoo.example.com/v1beta1',
      ]);
    });
  });

  test('of another release whose schemas are known: what they do not cover is listed', async () => {
    const facts = {
      'example.com/zoo/v1': { AnimalSpec: { kind: 'struct', fields: [{ json: 'name', go: 'Name', type: 'string' }] } },
    };
    const { files, options } = overlaid('types: { AnimalSpec: { rules: [{ field: legs, check: max, value: 8 }] } }', {
      'overlays/release.yaml': 'release: v9.9',
      'kubernetes/v9.9/field-facts.json': JSON.stringify(facts),
    });
    const model = await load(files, options);
    expect(model.overlaysRelease).toBe('v9.9');
    const spec = model.uncovered?.find(({ name }) => name === 'AnimalSpec');
    expect(spec?.fields).toContain('diet');
    expect(spec?.fields).not.toEqual(expect.arrayContaining(['name']));
    expect(spec?.fields).not.toEqual(expect.arrayContaining(['legs']));
    expect(model.uncovered).toContainEqual({ folder: 'zoo.example.com/v1', name: 'animals' });
  });

  test('for another release ignore what the schemas lack', async () => {
    const { files, options } = overlaid(stray, { 'overlays/release.yaml': 'release: v9.9' });
    const model = await load(files, options);
    expect(model.types.get(specId)!.rules).toHaveLength(1);
  });
});

describe('all problems are reported at once, with file and pointer:', () => {
  const { legs: _, ...withoutLegs } = animalSpecSchema.properties;
  const twice = '/apis/zoo.example.com/v1/animals/{id}';
  const cases: readonly { readonly what: string; readonly files: Files; readonly want: readonly string[] }[] = [
    {
      what: 'an unresolved $ref, beside other errors',
      files: {
        [documentFile]: animalDocument({
          [specId]: { ...animalSpecSchema, properties: { ...animalSpecSchema.properties, tail: ref('Tail') } },
        }),
        [protoFile]: animalProto,
      },
      want: [
        `${documentFile}#/components/schemas/${specId}/properties/tail/$ref: $ref to nothing: #/components/schemas/Tail`,
        `${documentFile}#/components/schemas/${specId}/properties/tail: the message example.zoo.v1.AnimalSpec has no such field`,
      ],
    },
    {
      what: 'a proto field without its property',
      files: {
        [documentFile]: animalDocument({ [specId]: { ...animalSpecSchema, properties: withoutLegs } }),
        [protoFile]: animalProto,
      },
      want: [`${protoFile}#/AnimalSpec/legs: the OpenAPI type ${specId} has no such property`],
    },
    {
      what: 'a property without its proto field',
      files: { [documentFile]: animalDocument(), [protoFile]: animalProto.replace(/ {2}optional int32 legs.*\n/, '') },
      want: [`${documentFile}#/components/schemas/${specId}/properties/legs: the message example.zoo.v1.AnimalSpec has no such field`],
    },
    {
      what: 'two resources with one path',
      files: {
        [documentFile]: animalDocument({}, { ...animalPaths, [twice]: { get: { operationId: 'readBeast', responses: {} } } }),
      },
      want: [
        `${documentFile}#/paths/~1apis~1zoo.example.com~1v1~1animals~1{id}/get: two resources have this path: readAnimal in ${documentFile} and readBeast`,
      ],
    },
    {
      what: 'a path of an unknown kind',
      files: {
        [documentFile]: animalDocument(
          {},
          {
            '/apis/zoo.example.com/v1/cages': {
              post: {
                operationId: 'createCage',
                responses: {},
                'x-kubernetes-group-version-kind': { group: 'zoo.example.com', kind: 'Cage', version: 'v1' },
              },
            },
          },
        ),
      },
      want: [`${documentFile}#/paths/~1apis~1zoo.example.com~1v1~1cages: no type is zoo.example.com/v1 Cage`],
    },
    {
      what: 'a .proto that does not compile',
      files: { [documentFile]: animalDocument(), [protoFile]: animalProto.replace('AnimalSpec spec', 'Cage spec') },
      want: [expect.stringMatching(/^proto\/zoo\.proto:5:12: .*Cage/) as unknown as string],
    },
    {
      what: 'files that are not JSON or not documents',
      files: { [documentFile]: '{', 'openapi/api/v1.json': [] },
      want: [expect.stringContaining(`${documentFile}#: `) as unknown as string, 'openapi/api/v1.json#: is not a JSON object'],
    },
    { what: 'an empty folder', files: { 'README.md': '' }, want: ['zoo#: has no openapi/**/*.json'] },
  ];
  test.each(cases)('$what', async ({ files, want }) => {
    expect(await problemsOf(files)).toEqual(want);
  });
});
