import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A schemas folder of one group, zoo.example.com/v1 with the kind Animal, in a temporary folder. */
export interface SmallSchemas {
  readonly dir: string;
  remove(): Promise<void>;
}

export type Files = Readonly<Record<string, string | object>>;

export async function writeFolder(files: Files): Promise<SmallSchemas> {
  const root = await mkdtemp(join(tmpdir(), 'kubeloom-test-'));
  const dir = join(root, 'zoo');
  for (const [name, content] of Object.entries(files)) {
    const file = join(dir, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { dir, remove: () => rm(root, { recursive: true, force: true }) };
}

export const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const gvk = { group: 'zoo.example.com', kind: 'Animal', version: 'v1' };
const answer = {
  200: { description: 'OK', content: { 'application/json': { schema: ref('com.example.zoo.v1.Animal') } } },
};
const object = { type: 'object' };
const text = { type: 'string' };

export const animalSchema = {
  ...object,
  properties: { apiVersion: text, kind: text, spec: ref('com.example.zoo.v1.AnimalSpec') },
  'x-kubernetes-group-version-kind': [gvk],
};

export const animalSpecSchema = {
  ...object,
  required: ['name'],
  properties: {
    name: { ...text, maxLength: 20, pattern: '^[a-z]+$' },
    legs: { type: 'integer', format: 'int32', minimum: 0, default: 4 },
    diet: { ...text, enum: ['Meat', 'Plants'] },
    keepers: { type: 'array', items: text, maxItems: 3, 'x-kubernetes-list-type': 'set' },
  },
};

export const animalPaths: Readonly<Record<string, object>> = {
  '/apis/zoo.example.com/v1/animals/{name}': {
    parameters: [{ name: 'name', in: 'path', required: true, schema: text }],
    get: {
      operationId: 'readAnimal',
      responses: answer,
      'x-kubernetes-action': 'get',
      'x-kubernetes-group-version-kind': gvk,
    },
  },
};

export function animalDocument(
  schemas: Readonly<Record<string, object>> = {},
  paths: Readonly<Record<string, object>> = animalPaths,
): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Zoo', version: '1' },
    paths,
    components: {
      schemas: {
        'com.example.zoo.v1.Animal': animalSchema,
        'com.example.zoo.v1.AnimalSpec': animalSpecSchema,
        ...schemas,
      },
    },
  };
}

export const animalProto = `syntax = "proto2";
package example.zoo.v1;
option go_package = "example.com/zoo/v1";
message Animal {
  optional AnimalSpec spec = 1;
}
message AnimalSpec {
  optional string name = 1;
  optional int32 legs = 2;
  optional string diet = 3;
  repeated string keepers = 4;
}
`;

export const documentFile = 'openapi/apis/zoo.example.com/v1.json';
export const protoFile = 'proto/zoo.proto';
