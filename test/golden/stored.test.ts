import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DescMessage, equals, fromBinary, type Message } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compileProtos, type ProtoIndex } from '../../codegen/load/protos.ts';
import { catalog } from '../../generated/v1.35/catalog.ts';
import { decodeJson } from '../../runtime/codec/json.ts';
import { formerVersion } from '../../runtime/kinds/former-versions.ts';
import { formatGroupVersion } from '../../runtime/machinery/gvk.ts';
import { fromUnstructured, type KubeObject } from '../../runtime/machinery/object.ts';
import type { ResourceFacts } from '../../runtime/machinery/resource.ts';
import { newStorageCodec } from '../../runtime/server/storage/storage-codec.ts';
import { keyPrefix } from '../../runtime/storage/object-store/keys.ts';
import { openObjectStore } from '../../runtime/storage/object-store/object-store.ts';
import { EtcdCluster } from '../support/etcd.ts';
import { openEngine } from '../support/etcd-engines.ts';
import { etcdctlGet, missingEtcdctl } from '../support/etcdctl.ts';
import { missingShared, sharedFolder } from '../support/shared-folder.ts';
import { describeUnless } from '../support/skipping.ts';

const folder = join(sharedFolder, 'golden', 'v1.35');
const protos = fileURLToPath(new URL('../../schemas/kubernetes/v1.35/proto', import.meta.url));

/** Groups whose objects are JSON in etcd. */
const jsonGroups = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];

/** The stored kinds, each once. All golden objects have a namespace. */
const stored = catalog.groupVersions
  .flatMap(({ resources }) => resources)
  .filter(({ version, storageVersion, storageGroup }) => version === storageVersion && storageGroup === undefined)
  .filter((facts) => facts.stored && !jsonGroups.includes(facts.group));

const goldenName = ({ group, version, kind }: ResourceFacts): string => `${group === '' ? 'core' : group}.${version}.${kind}`;
const golden = (facts: ResourceFacts, ext: string): Buffer => readFileSync(join(folder, `${goldenName(facts)}.${ext}`));

const magic = Buffer.from('k8s\0');

/** Decodes by reflection on the .proto files, without Kubeloom's decoder. */
class IndependentDecoder {
  readonly #protos: ProtoIndex;

  constructor(index: ProtoIndex) {
    this.#protos = index;
  }

  /** Decodes the message in an envelope, without fields that stored objects lack. */
  decode(bytes: Buffer): { readonly desc: DescMessage; readonly message: Message; readonly typeMeta: unknown } {
    expect(bytes.subarray(0, magic.length)).toEqual(magic);
    const { raw, ...typeMeta } = fromBinary(this.#named('k8s.io.apimachinery.pkg.runtime.Unknown'), bytes.subarray(4)) as Unknown;
    const { apiVersion, kind } = typeMeta.typeMeta;
    const desc = this.#kind(apiVersion, kind);
    const message = fromBinary(desc, raw);
    const { metadata } = message as unknown as { metadata: Record<string, unknown> };
    for (const member of ['resourceVersion', 'selfLink']) metadata[member] = '';
    return { desc, message, typeMeta };
  }

  #kind(apiVersion: string, kind: string): DescMessage {
    const [version, group = ''] = apiVersion.split('/').reverse();
    const folderName = group === '' ? 'core' : group.split('.')[0] === 'internal' ? 'apiserverinternal' : group.split('.')[0];
    return this.#named(`k8s.io.api.${folderName}.${version}.${kind}`);
  }

  #named(name: string): DescMessage {
    const found = this.#protos.byName.get(name);
    if (found === undefined) throw new Error(`no message ${name}`);
    return found.desc;
  }
}

interface Unknown extends Message {
  readonly typeMeta: { readonly apiVersion: string; readonly kind: string };
  readonly raw: Uint8Array;
}

describeUnless(missingShared ?? missingEtcdctl)('what is in etcd, read by etcdctl', () => {
  let cluster: EtcdCluster;
  let decoder: IndependentDecoder;
  let values: ReadonlyMap<string, Buffer>;

  beforeAll(async () => {
    const [started, index] = await Promise.all([EtcdCluster.start(), compileProtos(protos)]);
    cluster = started;
    decoder = new IndependentDecoder(index);
    const endpoint = cluster.members[0].url;
    const store = openObjectStore({
      engine: await openEngine({ endpoints: [endpoint] }),
      codec: newStorageCodec({
        mediaType: 'application/vnd.kubernetes.protobuf',
        builtin: catalog,
        features: { CBORServingAndStorage: false },
      }),
    });
    for (const facts of stored) {
      const object = objectOf(facts);
      const collection = await store.collection({ ...facts, namespaced: true, selectableFields: () => ({}) });
      await collection.create(object);
    }
    values = await etcdctlGet(endpoint, '/registry/');
    await store.close();
  }, 60_000);

  afterAll(() => cluster?.stop());

  test.each(stored)('$kind of $group/$version is what Go writes, at its key', (facts) => {
    const { name = '', namespace = '' } = objectOf(facts).metadata;
    const value = values.get(`${keyPrefix(facts)}${namespace}/${name}`);
    const { desc, message, typeMeta } = decoder.decode(value ?? Buffer.alloc(0));
    const want = decoder.decode(golden(facts, 'pb'));
    expect(typeMeta).toEqual(want.typeMeta);
    expect(equals(desc, message, want.message)).toBe(true);
  });
});

function objectOf(facts: ResourceFacts): KubeObject {
  const object = fromUnstructured(decodeJson(golden(facts, 'json')));
  expect(object.apiVersion).toBe(formatGroupVersion(facts));
  return object;
}

const codec = newStorageCodec({
  mediaType: 'application/vnd.kubernetes.protobuf',
  builtin: catalog,
  features: { CBORServingAndStorage: false },
});
const decoded = async (bytes: Uint8Array): Promise<KubeObject> => fromUnstructured(decodeJson(await codec.decode(bytes)));

describeUnless(missingShared)('what older releases wrote', () => {
  const former = [...new Set(readdirSync(folder).map((file) => file.replace(/\.\w+$/, '')))].flatMap((name) => {
    const { apiVersion = '', kind = '' } = fromUnstructured(decodeJson(readFileSync(join(folder, `${name}.json`))));
    const version = formerVersion(apiVersion, kind);
    const isStored = (at: string | undefined): boolean =>
      catalog.groupVersions.some((one) =>
        one.resources.some((each) => formatGroupVersion(one) === at && each.kind === kind && each.stored),
      );
    return version === undefined || isStored(apiVersion) || !isStored(version.apiVersion)
      ? []
      : [{ name, apiVersion: version.apiVersion, kind }];
  });

  test.each(former)('$name is read at $apiVersion, from protobuf and from JSON', async ({ name, apiVersion, kind }) => {
    const json = readFileSync(join(folder, `${name}.json`));
    const object = await decoded(readFileSync(join(folder, `${name}.pb`)));
    expect(await decoded(json)).toEqual(object);
    // all fields of golden objects have a value, so a missing one is lost
    const current = await decoded(readFileSync(join(folder, `${apiVersion.replace('/', '.')}.${kind}.json`)));
    expect(object).toEqual(JSON.parse(JSON.stringify(current), (key, value) => (key === 'tolerance' ? undefined : value)));
  });

  test('are of many kinds', () => expect(former.length).toBeGreaterThan(30));

  test('a RangeAllocation is written and read as Go does', async () => {
    const object = await decoded(readFileSync(join(folder, 'core.v1.RangeAllocation.pb')));
    expect(object).toEqual(await decoded(readFileSync(join(folder, 'core.v1.RangeAllocation.json'))));
    expect(await decoded(await codec.encode(Buffer.from(JSON.stringify(object))))).toEqual(object);
  });
});
