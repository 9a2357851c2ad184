import type { WriteStorage } from '../../support/object-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of three kinds
export type Any = any;

/** A kind for the suite: how to make its objects, and the paths of their common parts. */
export interface Subject {
  readonly title: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural. */
  readonly resource: string;
  readonly shortNames: readonly string[];
  /** Required fields of the spec. */
  readonly spec: Any;
  /** The dotted path of an integer that defaults to 1, and that a scale shows. */
  readonly count: string;
  /** The dotted path of an optional text. */
  readonly text: string;
  /** The dotted path of the integer that a scale's status shows. */
  readonly current: string;
  /** The pod selector as the scale shows it, and the `status` that sets it. */
  readonly selector: { readonly shown: string; readonly status: Any };
  /** The error of a creation whose count is a text. */
  readonly wrongType: { readonly code: number; readonly message: RegExp };
  /** The error of a creation of the kind Stranger. */
  readonly wrongKind: { readonly code: number; readonly message: RegExp };
  /** The path of the error for a negative scale. */
  readonly wrongScale: string;
  /** The response to an object whose only finalizer is `mine`: a status or a message, and warnings. */
  readonly looseFinalizer: readonly [number | string, readonly string[]];
  /** The names of the columns without -o wide. */
  readonly columns: readonly string[];
  /** Unsupported features, with the reason. */
  readonly lacks: Partial<Record<Feature, string>>;
}

/** Features that some kinds lack in Kubernetes. */
export type Feature = 'protobuf' | 'strategic merge patch' | 'unconditional updates' | 'apply of a scale';

const conditions = {
  type: 'array',
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: { type: 'string' },
      status: { type: 'string' },
      reason: { type: 'string' },
      message: { type: 'string' },
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
};

/** Branches of the example group, as a custom resource. */
export const branchDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'branches.custom.example.com' },
  spec: {
    group: 'custom.example.com',
    scope: 'Namespaced',
    names: { plural: 'branches', singular: 'branch', kind: 'Branch', listKind: 'BranchList', shortNames: ['cbr'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  address: { type: 'string' },
                  desks: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
                },
              },
              status: {
                type: 'object',
                properties: {
                  openDesks: { type: 'integer', format: 'int32' },
                  selector: { type: 'string' },
                  conditions,
                },
              },
            },
          },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.desks',
            statusReplicasPath: '.status.openDesks',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: [
          { name: 'Desks', type: 'integer', jsonPath: '.spec.desks' },
          { name: 'Open', type: 'integer', jsonPath: '.status.openDesks' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};

const branch = {
  version: 'v1',
  kind: 'Branch',
  resource: 'branches',
  spec: {},
  count: 'spec.desks',
  text: 'spec.address',
  current: 'status.openDesks',
  selector: { shown: 'app=web', status: { selector: 'app=web' } },
  columns: ['Name', 'Desks', 'Open', 'Age'],
} as const;

export const subjects: readonly Subject[] = [
  {
    title: 'a built-in kind',
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    resource: 'deployments',
    shortNames: ['deploy'],
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
    count: 'spec.replicas',
    text: 'spec.template.spec.hostname',
    current: 'status.replicas',
    selector: { shown: 'app=web', status: {} },
    wrongType: {
      code: 400,
      message: /cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32/,
    },
    wrongKind: {
      code: 400,
      message: /^Stranger in version "v1" cannot be handled as a \w+: no kind "Stranger" is registered for version "/,
    },
    wrongScale: 'spec.replicas',
    looseFinalizer: [
      'Deployment.apps "finalized" is invalid: metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      [],
    ],
    columns: ['Name', 'Ready', 'Up-to-date', 'Available', 'Age'],
    lacks: {},
  },
  {
    ...branch,
    title: 'a generated kind',
    group: 'library.example.com',
    shortNames: ['br'],
    wrongType: {
      code: 400,
      message: /cannot unmarshal string into Go struct field BranchSpec\.spec\.desks of type int32/,
    },
    wrongKind: {
      code: 400,
      message: /^Stranger in version "v1" cannot be handled as a \w+: no kind "Stranger" is registered for version "/,
    },
    wrongScale: 'spec.replicas',
    looseFinalizer: [201, []],
    lacks: {},
  },
  {
    ...branch,
    title: 'a custom kind',
    group: 'custom.example.com',
    shortNames: ['cbr'],
    wrongType: { code: 422, message: /spec\.desks in body must be of type integer: "string"/ },
    wrongKind: { code: 422, message: /kind: Invalid value: "Stranger": must be Branch$/ },
    wrongScale: 'spec.desks',
    looseFinalizer: [
      201,
      ['metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers'],
    ],
    lacks: {
      protobuf: 'custom resources have no messages',
      'strategic merge patch': 'custom resources have no Go types whose tags say how to merge',
      'unconditional updates': 'a replacement of a custom resource needs a resourceVersion',
      'apply of a scale': 'the handler of custom resources cannot convert an applied Scale',
    },
  },
];

/** Every subject with every storage. */
export const everySubject = (over: readonly WriteStorage[]): [string, WriteStorage, Subject][] =>
  over.flatMap((storage) => subjects.map((subject) => [subject.title, storage, subject] as [string, typeof storage, Subject]));
