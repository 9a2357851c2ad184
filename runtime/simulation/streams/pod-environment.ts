import type { Container, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { memberAt } from '../../machinery/json/member-path.ts';

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Any container of the pod. */
export function containerOf({ spec }: Pod, name: string): Container | undefined {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
  return all.find((container) => container.name === name) as Container | undefined;
}

/** The environment of a container. Values from other objects are left out. (pkg/kubelet/kubelet_pods.go makeEnvironmentVariables) */
export function environmentOf(pod: Pod, container: Container | undefined): Map<string, string> {
  const hostname = pod.spec?.hostname || pod.metadata.name || '';
  const env = new Map<string, string>([
    ['PATH', searchPath],
    ['HOSTNAME', hostname],
    ['HOME', '/root'],
    ['KUBERNETES_SERVICE_HOST', 'kubernetes.default.svc'],
    ['KUBERNETES_SERVICE_PORT', '443'],
  ]);
  for (const { name, value, valueFrom } of container?.env ?? []) {
    const found = value ?? fieldOf(pod, valueFrom?.fieldRef?.fieldPath);
    if (found !== undefined) env.set(name, expand(found, env));
  }
  return env;
}

/** (pkg/fieldpath ExtractFieldPathAsString) */
function fieldOf(pod: Pod, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const entry = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (entry !== null) return pod.metadata[entry[1] as 'labels' | 'annotations']?.[entry[2]] ?? '';
  if (path === 'status.podIPs') return pod.status?.podIPs?.map(({ ip }) => ip).join(',');
  if (path === 'status.hostIPs') return pod.status?.hostIPs?.map(({ ip }) => ip).join(',');
  const value = memberAt(pod, path);
  return typeof value === 'string' ? value : undefined;
}

/** `$(NAME)` is the value of an earlier variable, `$$` a dollar. (third_party/forked/golang/expansion) */
const expand = (text: string, env: ReadonlyMap<string, string>): string =>
  text.replace(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (env.get(name) ?? whole),
  );
