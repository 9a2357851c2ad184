import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codecPod } from '../../../generated/v1.35/core/v1/codec.ts';
import { prunePod } from '../../../generated/v1.35/core/v1/prune.ts';
import { encodeJson } from '../../../runtime/codec/json.ts';
import { transcode } from '../../../runtime/codec/transcode/transcode.ts';
import type { Message } from '../../../runtime/machinery/protobuf/message.ts';
import { writeMessage } from '../../../runtime/machinery/protobuf/message-writer.ts';
import { PruneContext } from '../../../runtime/machinery/prune/context.ts';

const podMessage = codecPod.message as Message;
const hex = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex');
const pruned = (pod: object): ReturnType<typeof prunePod> => prunePod(pod, new PruneContext());

/** Encodes the decoded object. */
const encoded = (pod: ReturnType<typeof prunePod>): string | undefined => hex(writeMessage((writer) => codecPod.encode(pod, writer)));

const container = { name: 'c', image: 'i', resources: { requests: { cpu: '10m' } } };

describe('the message of stored text is that of the decoded object', () => {
  const given: Readonly<Record<string, object>> = {
    'an empty object': {},
    names: { metadata: { name: 'a', namespace: 'b', labels: { a: '1', b: '' } } },
    'text outside of ASCII': { metadata: { annotations: { ü: '€😀' } } },
    'escaped text': { metadata: { annotations: { a: 'a"b\\c\n<&>\u2028' } } },
    'long text': { metadata: { annotations: { a: 'x'.repeat(300), b: 'y'.repeat(20_000) } } },
    times: { metadata: { creationTimestamp: '2026-02-28T23:59:59Z', deletionTimestamp: '1969-12-31T00:00:00Z' } },
    'the last day of a month': { metadata: { creationTimestamp: '2028-02-29T12:00:00Z' } },
    'negative integers': { metadata: { generation: -1 }, spec: { priority: -7 } },
    'managed fields': {
      metadata: {
        managedFields: [
          { manager: 'm', operation: 'Update', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:a': { 'k:{"b":1}': {} }, '.': {} } },
        ],
      },
    },
    'containers before their fields of smaller numbers': { spec: { initContainers: [container], containers: [container, container] } },
    'an inlined struct with one member': { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
    'an inlined struct without members': { spec: { volumes: [{ name: 'v' }] } },
    'an inlined struct among others': {
      spec: {
        containers: [
          { name: 'c', env: [{ name: 'a', valueFrom: { configMapKeyRef: { name: 'm', key: 'k', optional: true } } }] },
          {
            name: 'd',
            readinessProbe: { httpGet: { path: '/', port: 80 }, timeoutSeconds: 3 },
            livenessProbe: { tcpSocket: { port: 'p' } },
          },
        ],
      },
    },
  };
  for (const [name, pod] of Object.entries(given)) {
    test(name, () => {
      const object = pruned(pod);
      expect(hex(transcode(podMessage, encodeJson(object)))).toBe(encoded(object));
    });
  }

  test('any labels, annotations and volumes', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    const volume = fc.oneof(
      fc.record({ name: text, hostPath: fc.record({ path: text }) }),
      fc.record({ name: text, secret: fc.record({ secretName: text, defaultMode: fc.integer({ min: 0, max: 511 }) }) }),
    );
    const pods = fc.record({
      metadata: fc.record({ name: text, labels: fc.dictionary(text, text) }),
      spec: fc.record({ nodeName: text, volumes: fc.array(volume) }),
    });
    fc.assert(
      fc.property(pods, (pod) => {
        const object = pruned(pod);
        const transcoded = transcode(podMessage, encodeJson(object));
        if (transcoded !== undefined) expect(hex(transcoded)).toBe(encoded(object));
      }),
    );
  });
});

describe('members in any order, and null', () => {
  const object = pruned({ metadata: { name: 'a', uid: 'u', resourceVersion: '7' }, spec: { nodeName: 'n' } });
  const rows: Readonly<Record<string, string>> = {
    'a revision first': '{"metadata":{"resourceVersion":"7","name":"a","uid":"u"},"spec":{"containers":null,"nodeName":"n"},"status":{}}',
    'metadata last': '{"status":{},"spec":{"nodeName":"n","containers":null},"metadata":{"uid":"u","resourceVersion":"7","name":"a"}}',
    'kind and version': '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"u","resourceVersion":"7"},"spec":{"nodeName":"n"}}',
  };
  for (const [name, text] of Object.entries(rows)) {
    test(name, () => {
      expect(hex(transcode(podMessage, Buffer.from(text)))).toBe(encoded(object));
    });
  }
});

describe('other text has to be decoded', () => {
  const rows: Readonly<Record<string, string>> = {
    'white space': '{ "metadata":{}}',
    'an unknown member': '{"metadata":{"color":"red"}}',
    'a repeated member': '{"metadata":{"name":"a","name":"b"}}',
    'a map out of order': '{"metadata":{"labels":{"b":"1","a":"2"}}}',
    'a number with a fraction': '{"metadata":{"generation":1.0}}',
    'an integer beyond 2^53': '{"metadata":{"generation":4611686018427387904}}',
    'half of a pair': '{"metadata":{"name":"\\ud800"}}',
    'an escaped character in managed fields': '{"metadata":{"managedFields":[{"fieldsV1":{"f:\\u003c":{}}}]}}',
    'a zero time behind a pointer': '{"metadata":{"deletionTimestamp":null}}',
    'an unclosed object': '{"metadata":{"name":"a"}',
    'text after the object': '{"metadata":{}}{}',
    'a string in place of an object': '{"metadata":"a"}',
  };
  for (const [name, text] of Object.entries(rows)) {
    test(name, () => {
      expect(transcode(podMessage, Buffer.from(text))).toBeUndefined();
    });
  }

  test('bytes that are not UTF-8', () => {
    expect(transcode(podMessage, Buffer.from('{"metadata":{"name":"\xff"}}', 'latin1'))).toBeUndefined();
  });
});
