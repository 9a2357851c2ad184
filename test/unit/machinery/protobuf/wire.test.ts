import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codecCustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/codec.ts';
import { pruneCustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/prune.ts';
import { codecConfigMap, codecPod, codecResourceQuota, codecSecret } from '../../../../generated/v1.35/core/v1/codec.ts';
import { pruneConfigMap, prunePod } from '../../../../generated/v1.35/core/v1/prune.ts';
import { isDecodeError } from '../../../../runtime/machinery/errors/decode-error.ts';
import type { ProtobufCodec } from '../../../../runtime/machinery/protobuf/codec.ts';
import { writeMessage } from '../../../../runtime/machinery/protobuf/message-writer.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';

const encode = <T>(codec: ProtobufCodec<T>, object: T): Uint8Array => writeMessage((writer) => codec.encode(object, writer));

const decode = <T>(codec: ProtobufCodec<T>, bytes: Uint8Array): T => codec.decode(new BinaryReader(bytes), bytes.length);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const pod = prunePod(
  {
    metadata: {
      name: 'a',
      generation: 2n ** 62n,
      creationTimestamp: '2008-01-01T01:01:01Z',
      labels: { b: '1', a: '2' },
    },
    spec: {
      containers: [
        {
          name: 'ä',
          resources: { limits: { cpu: '1500m' } },
          livenessProbe: { httpGet: { port: 'http' }, initialDelaySeconds: -1 },
          envFrom: [{ configMapRef: { name: 'x', optional: false } }],
        },
      ],
      terminationGracePeriodSeconds: 0,
    },
  },
  new PruneContext(),
);

describe('the bytes of gogo protobuf', () => {
  test('fields that are not pointers are written at zero, and entries by key', () => {
    const map = pruneConfigMap({ data: { b: '', a: '1' } }, new PruneContext());
    // metadata {name, generateName, namespace, selfLink, uid, resourceVersion: "", generation: 0, creationTimestamp {}}
    const metadata = '0a100a0012001a0022002a003200' + '3800' + '4200';
    expect(hex(encode(codecConfigMap, map))).toBe(`${metadata}12060a01611201311205${'0a0162'}1200`);
  });

  test('encoded messages decode to themselves, with the order of fields', () => {
    expect(JSON.stringify(decode(codecPod, encode(codecPod, pod)), bigints)).toBe(JSON.stringify(pod, bigints));
  });

  test('numbers beyond 2^53 are bigints, others numbers', () => {
    expect(decode(codecPod, encode(codecPod, pod)).metadata?.generation).toBe(2n ** 62n);
    expect(decode(codecPod, encode(codecPod, pod)).spec?.terminationGracePeriodSeconds).toBe(0);
  });

  test('an empty message is the zero value', () => {
    expect(decode(codecPod, new Uint8Array())).toEqual(prunePod({}, new PruneContext()));
  });

  test('unknown fields are skipped', () => {
    const unknown = new BinaryWriter().tag(1000, 2).string('x').tag(1001, 0).int64(-1).tag(1002, 1).double(1).finish();
    expect(decode(codecPod, Buffer.concat([unknown, encode(codecPod, pod), unknown]))).toEqual(pod);
  });

  // a client of Go writes no bytes for a nil value
  test.each([
    ['strings', codecConfigMap, '12030a0161', { data: { a: '' } }],
    ['bytes of a ConfigMap', codecConfigMap, '1a030a0161', { binaryData: { a: '' } }],
    ['bytes of a Secret', codecSecret, '12030a0161', { data: { a: '' } }],
    ['bytes without a key', codecSecret, '120512036f6464', { data: { '': 'b2Rk' } }],
    ['bytes without a key and a value', codecSecret, '1200', { data: { '': '' } }],
    ['quantities', codecResourceQuota, '12050a030a0161', { spec: { hard: { a: '0' } } }],
  ])('absent parts of an entry are empty: %s', (_name, codec, bytes, want) => {
    expect(decode<unknown>(codec, Buffer.from(bytes, 'hex'))).toMatchObject(want);
  });

  test('unions of schemas and raw JSON', () => {
    const schema = {
      default: { big: 9007199254740993n, text: '9007199254740993' },
      additionalProperties: { type: 'string' },
      items: [{ type: 'integer' }, {}],
      not: { items: { type: 'string' }, additionalItems: false },
      enum: [1, 'a', { __a: [null] }],
      dependencies: { a: ['b', 'c'], d: { type: 'object' } },
    };
    const given = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
    const crd = pruneCustomResourceDefinition(given, new PruneContext());
    expect(decode(codecCustomResourceDefinition, encode(codecCustomResourceDefinition, crd))).toEqual(crd);
  });
});

const bigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

describe('hostile bytes', () => {
  function failure(codec: ProtobufCodec<unknown>, bytes: Uint8Array): unknown {
    try {
      decode(codec, bytes);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  test('truncated anywhere are a DecodeError or a shorter object', () => {
    const bytes = encode(codecPod, pod);
    for (let length = 0; length < bytes.length; length++) {
      const error = failure(codecPod as ProtobufCodec<unknown>, bytes.subarray(0, length));
      expect(error === undefined || isDecodeError(error)).toBe(true);
    }
  });

  test('with any byte changed are a DecodeError or an object', () => {
    const bytes = encode(codecPod, pod);
    const change = fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const copy = Uint8Array.from(bytes);
        for (const { at, value } of changes) copy[at] = value;
        const error = failure(codecPod as ProtobufCodec<unknown>, copy);
        return error === undefined || isDecodeError(error);
      }),
      { numRuns: 500 },
    );
  });

  const nested = (groups: number): string => '8b06'.repeat(groups) + '8c06'.repeat(groups);

  test.each([
    { of: 'a number where metadata should be', bytes: '0805', want: 'proto: wrong wireType = 0 for field ObjectMeta' },
    { of: 'bytes where a generation should be', bytes: '0a023a00', want: 'proto: wrong wireType = 2 for field Generation' },
    { of: 'a number where a map should be', bytes: '1005', want: 'proto: wrong wireType = 0 for field Data' },
    { of: 'the field 0', bytes: '0000', want: 'proto: ConfigMap: illegal tag 0 (wire type 0)' },
    { of: 'the field 0 of metadata', bytes: '0a020000', want: 'proto: ObjectMeta: illegal tag 0 (wire type 0)' },
    { of: 'the end of a group', bytes: '8c06', want: 'proto: ConfigMap: wiretype end group for non-group' },
    { of: 'an unknown wire type', bytes: '8f06', want: 'proto: illegal wireType 7' },
    { of: 'a group that does not end', bytes: '8b06', want: 'unexpected EOF' },
    { of: 'a group', bytes: nested(1), want: undefined },
    { of: '100,000 nested groups', bytes: nested(100_000), want: undefined },
    { of: 'a number of 11 bytes', bytes: `8006${'ff'.repeat(10)}01`, want: 'proto: integer overflow' },
    { of: 'a tag of 11 bytes', bytes: `${'ff'.repeat(10)}01`, want: 'proto: integer overflow' },
    { of: 'a length beyond the buffer', bytes: '0affffff7f', want: 'unexpected EOF' },
    { of: 'an unknown length beyond the buffer', bytes: '8206ffffff7f', want: 'unexpected EOF' },
  ])('$of is read as by gogo', ({ bytes, want }) => {
    expect((failure(codecConfigMap as ProtobufCodec<unknown>, Buffer.from(bytes, 'hex')) as Error | undefined)?.message).toBe(want);
  });

  test('lists of numbers may be packed', () => {
    // spec {securityContext {supplementalGroups: [1, 300]}}
    const groups = decode(codecPod, Buffer.from('1207' + '7205' + '2203' + '01ac02', 'hex')).spec?.securityContext?.supplementalGroups;
    expect(groups).toEqual([1, 300]);
  });

  test('a message that nests too deep', () => {
    let bytes = new BinaryWriter().tag(5, 2).string('x').finish();
    for (let depth = 0; depth < 3_000; depth++) bytes = new BinaryWriter().tag(28, 2).bytes(bytes).finish();
    for (const field of [1, 4, 7, 2]) bytes = new BinaryWriter().tag(field, 2).bytes(bytes).finish();
    const error = failure(codecCustomResourceDefinition as ProtobufCodec<unknown>, bytes);
    expect(isDecodeError(error)).toBe(true);
    expect((error as Error).message).toBe('exceeded max depth');
  });
});
