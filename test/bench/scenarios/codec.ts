import { BinaryReader } from '@bufbuild/protobuf/wire';
import { codecPod } from '../../../generated/v1.35/core/v1/codec.ts';
import { setDefaultsPod } from '../../../generated/v1.35/core/v1/defaults.ts';
import { prunePod } from '../../../generated/v1.35/core/v1/prune.ts';
import { validatePod } from '../../../generated/v1.35/core/v1/validate.ts';
import { decodeJson } from '../../../runtime/codec/json.ts';
import { writeMessage } from '../../../runtime/machinery/protobuf/message-writer.ts';
import { PruneContext } from '../../../runtime/machinery/prune/context.ts';
import { Field } from '../../../runtime/machinery/validation/field.ts';
import { FieldPath } from '../../../runtime/machinery/validation/field-path.ts';
import type { Report } from '../report.ts';

const container = (name: string): object => ({
  name,
  image: `registry.example.com/team/${name}:v1.2.3`,
  command: ['/bin/app', '--port=8080'],
  args: ['--verbose', '--config=/etc/app/config.yaml'],
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'A', value: 'b' },
  ],
  resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '250m', memory: '64Mi' } },
  volumeMounts: [
    { name: 'config', mountPath: '/etc/app', readOnly: true },
    { name: 'data', mountPath: '/var/lib/app' },
  ],
  livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, initialDelaySeconds: 5, periodSeconds: 10 },
  readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  imagePullPolicy: 'IfNotPresent',
  securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
});

const given = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'web-0',
    namespace: 'default',
    uid: '2f9a3c9e-1b9a-4c1c-8a3c-0a4f3a6a9c11',
    resourceVersion: '12345',
    generation: 1,
    creationTimestamp: '2024-01-01T00:00:00Z',
    labels: { app: 'web', 'pod-template-hash': 'abc123', tier: 'front' },
    annotations: { 'example.com/note': 'hello world' },
  },
  spec: {
    volumes: [
      { name: 'config', configMap: { name: 'web-config', defaultMode: 420 } },
      { name: 'data', emptyDir: {} },
    ],
    containers: [container('app'), container('sidecar')],
    nodeName: 'node-1',
    tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', tolerationSeconds: 300 }],
  },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2024-01-01T00:00:10Z' }],
    podIP: '10.1.0.5',
    startTime: '2024-01-01T00:00:00Z',
  },
};

/** Returns operations per millisecond in a slice of 80 ms. */
function slice(work: () => unknown): number {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < 80) {
    for (let turn = 0; turn < 20; turn++) work();
    count += 20;
  }
  return count / (performance.now() - start);
}

/**
 * Measures generated code on a nested Pod of about 1.4 KB of protobuf against JSON.parse and JSON.stringify: the best
 * slice of twelve, in turns.
 */
export async function codec(report: Report): Promise<void> {
  const pod = prunePod(given, new PruneContext());
  setDefaultsPod(pod);
  const text = JSON.stringify(pod);
  const encode = (): Uint8Array => writeMessage((writer) => codecPod.encode(pod, writer));
  const bytes = encode();
  const body = Buffer.from(text);

  const cases: Readonly<Record<string, () => unknown>> = {
    'JSON.parse': () => JSON.parse(body.toString('utf8')),
    'decode JSON': () => decodeJson(body),
    'decode JSON, strict': () => decodeJson(body, { duplicates: [] }),
    'JSON.stringify': () => JSON.stringify(pod),
    'encode protobuf': encode,
    'decode protobuf': () => codecPod.decode(new BinaryReader(bytes), bytes.length),
    prune: () => prunePod(pod, new PruneContext()),
    'prune, strict': () => prunePod(pod, new PruneContext({ collectUnknown: true })),
    setDefaults: () => setDefaultsPod(pod),
    validate: () => validatePod(pod, Field.at(FieldPath.root, [])),
  };
  const best = new Map<string, number>();
  for (let round = 0; round < 12; round++) {
    for (const [name, work] of Object.entries(cases)) best.set(name, Math.max(best.get(name) ?? 0, slice(work)));
  }
  const size = `${bytes.length} bytes of protobuf, ${text.length} of JSON`;
  for (const [name, rate] of best) report.row(`a pod of ${size}: ${name}`, `${Math.round(rate * 1000)}/s`, '', '');
}
