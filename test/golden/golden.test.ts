import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJson } from '../../runtime/codec/json.ts';
import { decodeEnvelope, encodeEnvelope } from '../../runtime/codec/protobuf.ts';
import { decodeYaml } from '../../runtime/codec/yaml.ts';
import type { ProtobufCodec } from '../../runtime/machinery/protobuf.ts';
import { PruneContext } from '../../runtime/machinery/prune.ts';
import { type GeneratedModule, generateUnserved } from '../support/generate-unserved.ts';
import { sharedDir, sharedReason } from '../support/shared.ts';

type Prune = (value: unknown, context: PruneContext) => Record<string, unknown>;

const release = 'v1.35';
const golden = join(sharedDir ?? '', 'golden', release);
const generated = fileURLToPath(new URL(`../../generated/${release}`, import.meta.url));
const names = sharedDir === undefined ? ['none'] : kindsIn(golden);

function kindsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
}

/** `apps.v1.Deployment` -> where its code is, meta/v1 for the kinds that every group has. */
function placesOf(name: string): { folders: string[]; kind: string } {
  const [, group, version, kind] = /^(.+)\.(v[0-9][a-z0-9]*)\.(\w+)$/.exec(name) as RegExpExecArray;
  return { folders: [`${group}/${version}`, 'meta/v1'], kind };
}

/** Every kind as kube-apiserver writes it, in three encodings. */
(sharedDir === undefined ? describe.skip : describe)(sharedReason(`golden files of ${release}`), () => {
  let unserved: Awaited<ReturnType<typeof generateUnserved>>;

  beforeAll(async () => {
    unserved = await generateUnserved(join(sharedDir as string, 'schemas', release));
  });

  afterAll(async () => {
    await rm(unserved.folder, { recursive: true, force: true });
  });

  /** The code that is committed for what is served; what was generated just now for the rest. */
  async function load(name: string): Promise<{ prune: Prune; codec: ProtobufCodec<object> }> {
    const { folders, kind } = placesOf(name);
    for (const folder of folders) {
      const module = async (file: string): Promise<GeneratedModule> => {
        const path = join(generated, folder, `${file}.ts`);
        if (existsSync(path)) return import(pathToFileURL(path).href);
        return unserved.modules.get(`${folder}/${file}`) ?? {};
      };
      const prune =
        (await module('prune'))[`prune${kind}`] ?? unserved.modules.get(`${folder}/prune`)?.[`prune${kind}`];
      const codec =
        (await module('codec'))[`codec${kind}`] ?? unserved.modules.get(`${folder}/codec`)?.[`codec${kind}`];
      if (prune && codec) return { prune: prune as Prune, codec: codec as ProtobufCodec<object> };
    }
    throw new Error(`no code for ${name}`);
  }

  test.each(names)('%s: three encodings, one object, the same bytes', async (name) => {
    const { prune, codec } = await load(name);
    const json = decodeJson(readFileSync(join(golden, `${name}.json`)));
    const bytes = readFileSync(join(golden, `${name}.pb`));

    const strict = new PruneContext({ collectUnknown: true });
    const object = prune(json, strict);
    expect(strict.strictErrors).toEqual([]);
    // As text: the order of fields is Go's, too.
    expect(JSON.stringify(object)).toBe(JSON.stringify(json));

    const yaml = decodeYaml(readFileSync(join(golden, `${name}.yaml`)));
    expect(prune(yaml, new PruneContext())).toEqual(object);

    const { kind, apiVersion, raw } = decodeEnvelope(bytes);
    const decoded = codec.decode(new BinaryReader(raw), raw.length);
    // A WatchEvent is the only kind whose envelope does not name it.
    const typeMeta = kind === '' ? {} : { kind, apiVersion };
    expect(JSON.stringify({ ...typeMeta, ...decoded })).toBe(JSON.stringify(object));

    const writer = new BinaryWriter();
    codec.encode(object, writer);
    const encoded = encodeEnvelope(apiVersion, kind, writer.finish());
    expect(Buffer.from(encoded).toString('hex')).toBe(bytes.toString('hex'));
  });
});
