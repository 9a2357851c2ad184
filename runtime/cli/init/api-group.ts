import type { Template } from './template.ts';

export const group: Template = {
  name: 'group',
  about: 'an API group of your own',
  files: () => ({ 'robots.yaml': robots }),
  commands: () => [
    'npm install kubeloom @bufbuild/buf openapi-typescript ts-morph typescript@5',
    'npx kubeloom serve --from robots.yaml --storage=memory --write-kubeconfig=kubeconfig',
    'KUBECONFIG=kubeconfig kubectl explain robots.spec',
  ],
  document: 'docs/new-group.md',
};

const robots = `# Kinds of an API group, each with its group, version and kind. \`kubeloom serve --from\` adds the rest.
openapi: 3.0.0
info: { title: Factory, version: v1 }
components:
  schemas:
    Robot:
      type: object
      required: [spec]
      properties:
        spec: { $ref: '#/components/schemas/RobotSpec' }
        status: { $ref: '#/components/schemas/RobotStatus' }
      x-kubernetes-group-version-kind: [{ group: factory.example.com, version: v1, kind: Robot }]
    RobotSpec:
      type: object
      required: [model]
      properties:
        model: { type: string, minLength: 1 }
        arms: { type: integer, format: int32, minimum: 0, maximum: 8, default: 2 }
    RobotStatus:
      type: object
      properties:
        phase: { type: string, enum: [Idle, Working] }
`;
