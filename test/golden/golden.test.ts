import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { expect, test } from '@jest/globals';
import { decodeJson, encodeJson } from '../../runtime/codec/json.ts';
import { decodeEnvelope, encodeEnvelope } from '../../runtime/codec/protobuf.ts';
import { transcode } from '../../runtime/codec/transcode/transcode.ts';
import { decodeYaml } from '../../runtime/codec/yaml.ts';
import type { ProtobufCodec } from '../../runtime/machinery/protobuf/codec.ts';
import { writeMessage } from '../../runtime/machinery/protobuf/message-writer.ts';
import { PruneContext } from '../../runtime/machinery/prune/context.ts';
import { type GeneratedModule, generateUnserved } from '../support/generate-unserved.ts';
import { root } from '../support/generated-project.ts';
import { describeShared } from '../support/shared.ts';

type Prune = (value: unknown, context: PruneContext) => Record<string, unknown>;

/** The release of generated/. */
const committed = 'v1.35';
const generated = fileURLToPath(new URL(`../../generated/${committed}`, import.meta.url));

function kindsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
}

/** `apps.v1.Deployment` -> the folder of its code; also meta/v1 for the kinds of every group. */
function placesOf(name: string): { folders: string[]; kind: string } {
  const [, group, version, kind] = /^(.+)\.(v[0-9][a-z0-9]*)\.(\w+)$/.exec(name) as RegExpExecArray;
  return { folders: [`${group}/${version}`, 'meta/v1'], kind };
}

interface KindCode {
  readonly prune: Prune;
  readonly codec: ProtobufCodec<object>;
}

/** Decodes the three files of a kind, and encodes the object again. */
function checkKind(folder: string, name: string, { prune, codec }: KindCode): void {
  const json = decodeJson(readFileSync(join(folder, `${name}.json`)));
  const bytes = readFileSync(join(folder, `${name}.pb`));

  const strict = new PruneContext({ collectUnknown: true });
  const object = prune(json, strict);
  expect(strict.strictErrors).toEqual([]);
  // As text, because the order of fields must also be Go's.
  expect(JSON.stringify(object)).toBe(JSON.stringify(json));

  const yaml = decodeYaml(readFileSync(join(folder, `${name}.yaml`)));
  expect(prune(yaml, new PruneContext())).toEqual(object);

  const { kind, apiVersion, raw } = decodeEnvelope(bytes);
  const decoded = codec.decode(new BinaryReader(raw), raw.length);
  // WatchEvent is the only kind without a name in its envelope.
  const typeMeta = kind === '' ? {} : { kind, apiVersion };
  expect(JSON.stringify({ ...typeMeta, ...decoded })).toBe(JSON.stringify(object));

  const encoded = encodeEnvelope(
    apiVersion,
    kind,
    writeMessage((writer) => codec.encode(object, writer)),
  );
  expect(Buffer.from(encoded).toString('hex')).toBe(bytes.toString('hex'));

  // Text of unknown structure with escaped characters is decoded first.
  const transcoded = codec.message && transcode(codec.message, encodeJson(object));
  if (transcoded !== undefined) expect(Buffer.from(transcoded).toString('hex')).toBe(Buffer.from(raw).toString('hex'));
}

type LoadModule = (folder: string, file: string) => Promise<GeneratedModule> | GeneratedModule;

async function codeOf(name: string, load: LoadModule): Promise<KindCode> {
  const { folders, kind } = placesOf(name);
  for (const folder of folders) {
    const prune = (await load(folder, 'prune'))[`prune${kind}`];
    const codec = (await load(folder, 'codec'))[`codec${kind}`];
    if (prune && codec) return { prune: prune as Prune, codec: codec as ProtobufCodec<object> };
  }
  throw new Error(`no code for ${name}`);
}

/** Generates uncommitted releases while `use` runs. */
async function withGenerated(schemas: string, use: (modules: ReadonlyMap<string, GeneratedModule>) => Promise<void>) {
  const { folder, modules } = await generateUnserved(schemas);
  try {
    await use(modules);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every kind as kube-apiserver writes it: three encodings decode to one object, which encodes to the same bytes. */
describeShared('golden files', (shared) => {
  const folder = (release: string): string => join(shared, 'golden', release);
  const schemas = (release: string): string => join(root, 'schemas/kubernetes', release);

  const served = (name: string): boolean =>
    placesOf(name).folders.some((place) => existsSync(join(generated, place, 'codec.ts')) && declares(place, name));
  const declares = (place: string, name: string): boolean =>
    readFileSync(join(generated, place, 'codec.ts'), 'utf8').includes(`export const codec${placesOf(name).kind}:`);
  const names = kindsIn(folder(committed));

  test('more than a hundred kinds are served', () => {
    expect(names.filter(served).length).toBeGreaterThan(100);
  });

  test.each(names.filter(served))(`${committed} %s, by the committed code`, async (name) => {
    const code = await codeOf(name, (place, file) => {
      const path = join(generated, place, `${file}.ts`);
      return existsSync(path) ? import(pathToFileURL(path).href) : {};
    });
    checkKind(folder(committed), name, code);
  });

  test(`${committed}: all kinds, also those that are no longer served, by newly generated code`, async () => {
    await withGenerated(schemas(committed), async (modules) => {
      for (const name of names) {
        checkKind(folder(committed), name, await codeOf(name, (place, file) => modules.get(`${place}/${file}`) ?? {}));
      }
    });
  });

  test('v1.32: all kinds', async () => {
    const older = kindsIn(folder('v1.32'));
    await withGenerated(schemas('v1.32'), async (modules) => {
      for (const name of older) {
        checkKind(folder('v1.32'), name, await codeOf(name, (place, file) => modules.get(`${place}/${file}`) ?? {}));
      }
    });
    expect(older.length).toBeGreaterThan(150);
  });
});
