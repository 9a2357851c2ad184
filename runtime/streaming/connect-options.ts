import { boolParameter } from '../http/parameters.ts';
import { type Query, queryValue } from '../http/query-string.ts';
import { fromUnstructured, type JsonObject, type KubeObject } from '../machinery/object.ts';

/**
 * Reads the options of a connection from the query, as an object of the kind. (PodExecOptions and its like)
 *
 * @param path of a proxy: the part of the request's path after the subresource
 */
export function connectOptions(kind: string, query: Query, path: string): KubeObject {
  const options: JsonObject = { kind, apiVersion: 'v1' };
  switch (kind) {
    case 'PodExecOptions':
    case 'PodAttachOptions':
      for (const name of ['stdin', 'stdout', 'stderr', 'tty']) {
        if (boolParameter(query, name)) options[name] = true;
      }
      if (queryValue(query, 'container')) options.container = queryValue(query, 'container') as string;
      if (kind === 'PodExecOptions') options.command = [...(query.get('command') ?? [])];
      break;
    case 'PodPortForwardOptions':
      if (query.get('ports')) options.ports = (query.get('ports') ?? []).flatMap((text) => text.split(',')).map(Number);
      break;
    default:
      if (path !== '') options.path = path;
  }
  return fromUnstructured(options);
}
