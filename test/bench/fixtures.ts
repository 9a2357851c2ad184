/** Returns a pod of about 2 KiB of JSON, like the pods of a Deployment. Its stored form has about 4 KiB. */
export function pod(name: string, namespace = 'default'): Record<string, unknown> {
  const container = (index: number): Record<string, unknown> => ({
    name: `app-${index}`,
    image: `registry.example.com/team/service-${index}:v1.27.${index}`,
    args: ['--config=/etc/app/config.yaml', `--shard=${index}`, '--log-format=json'],
    ports: [{ name: 'http', containerPort: 8080 + index, protocol: 'TCP' }],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
      { name: 'REGION', value: 'eu-central-1' },
    ],
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/app', readOnly: true }],
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { app: 'service', 'app.kubernetes.io/name': 'service', 'pod-template-hash': '7d4b9c6f5d' },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
    },
    spec: {
      containers: [container(0), container(1)],
      volumes: [{ name: 'config', configMap: { name: 'service-config' } }],
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
    },
  };
}
