/** Returns a typical operator's definition of about 20 KB, in its own group. */
export function definition(index: number): Record<string, unknown> {
  const group = `group-${index}.example.com`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: bigSchema }],
    },
  };
}

export const collectionOf = (index: number): string => `/apis/group-${index}.example.com/v1/namespaces/default/widgets`;

const text = (about: string): object => ({
  type: 'string',
  description: `${about}, as the controller of this resource reads it. Empty means that the default of the cluster holds.`,
});

const part = (index: number): object => ({
  type: 'object',
  description: `Part ${index} of what is wanted. Everything in it may be left out.`,
  properties: {
    name: { ...text('The name of the part'), maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' },
    image: text('The image that is run'),
    replicas: { type: 'integer', format: 'int32', minimum: 0, default: 1, description: 'How many of them run.' },
    policy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'], default: 'Always' },
    limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['number'],
      items: {
        type: 'object',
        required: ['number'],
        properties: { name: text('The name of the port'), number: { type: 'integer', format: 'int32' } },
      },
    },
  },
});

const bigSchema = {
  openAPIV3Schema: {
    type: 'object',
    description: 'Widget is what the benchmark is about.',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 18 }, (_, index) => [`part${index}`, part(index)])),
      },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
};

const integer = { type: 'integer' };
const short = { type: 'string', maxLength: 256 };

/** The schema of `validated`, with ten rules typical of operators. */
export const validatedSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        minReplicas: { ...integer, minimum: 0 },
        replicas: integer,
        maxReplicas: integer,
        mode: { type: 'string', enum: ['Fast', 'Safe'] },
        image: { ...short, 'x-kubernetes-validations': [{ rule: "self.startsWith('registry.example.com/')" }] },
        labels: { type: 'object', maxProperties: 20, additionalProperties: short },
        ports: {
          type: 'array',
          maxItems: 20,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name', 'number'],
            properties: { name: short, number: integer, note: short },
          },
          'x-kubernetes-validations': [
            { rule: 'self.all(port, port.number > 1024 && port.number < 65536)' },
            { rule: "self.exists(port, port.name == 'port-0')" },
            { rule: 'self.size() > 0' },
          ],
        },
      },
      'x-kubernetes-validations': [
        { rule: 'self.minReplicas <= self.replicas' },
        { rule: 'self.replicas <= self.maxReplicas' },
        { rule: "self.image.matches('^[a-z./]+:v[0-9.]+$')" },
        { rule: "has(self.mode) && self.mode == 'Fast'", message: 'only the fast mode is there' },
        { rule: "!('forbidden' in self.labels)" },
        { rule: 'self.ports.size() >= self.minReplicas' },
      ],
    },
  },
} as const;

/** About 2 KiB of JSON that satisfies all the rules. */
export const validated = {
  apiVersion: 'validated.example.com/v1',
  kind: 'Judged',
  metadata: { name: 'validated', namespace: 'default' },
  spec: {
    minReplicas: 1,
    replicas: 3,
    maxReplicas: 5,
    mode: 'Fast',
    image: 'registry.example.com/team/app:v1.27.3',
    labels: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`example.com/label-${i}`, `value-${i}`])),
    ports: Array.from({ length: 16 }, (_, i) => ({
      name: `port-${i}`,
      number: 8000 + i,
      note: 'what listens here is started by the controller',
    })),
  },
};
