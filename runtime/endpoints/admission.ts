import { boolParameter } from '../http/parameters.ts';
import type { Query } from '../http/query-string.ts';
import { queryValue } from '../http/query-string.ts';
import { fromUnstructured, type JsonObject, type KubeObject } from '../machinery/object.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import type { UserInfo } from '../machinery/user-info.ts';
import { operationOptions, WriteAdmission } from '../resources/admission.ts';
import { isWrite } from './offload.ts';
import type { ResourceRequest } from './resource-request.ts';

/** What differs from the request for a resource itself. */
interface AdmissionOptions {
  /** Default: the name in the path, or that of the object. */
  readonly name?: string;
  readonly namespace?: string;
  /** The type of the body of a subresource. Default: the resource's own. */
  readonly type?: TypeDefinition;
  /** As WriteAdmission's. */
  view?(object: KubeObject): KubeObject;
  /** The options in the body of a DELETE. Default: those in the query. */
  readonly deleteOptions?: JsonObject;
}

/** Returns the admission of one write; undefined if nothing is admitted. */
export function admissionOf(request: ResourceRequest, dryRun: boolean, options: AdmissionOptions = {}): WriteAdmission | undefined {
  const { ctx, scope, definition, info, namespace, name } = request;
  const { admission } = scope;
  if (admission === undefined) return undefined;
  const { state } = ctx;
  return new WriteAdmission(
    admission,
    {
      definition,
      dryRun,
      subresource: info.subresource,
      type: options.type ?? definition.type,
      user: state.user as UserInfo,
      deadline: state.deadline,
      isRepeatable: isWrite(request),
      options: (operation) => operationOptions(operation, operation === 'DELETE' ? options.deleteOptions : writeOptions(state.query)),
      warn: (text) => state.addWarnings(text),
      addAnnotation(key, value, level) {
        if (level === undefined || state.audit?.logsRequest) state.audit?.addAnnotation(key, value);
      },
    },
    {
      namespace: options.namespace ?? namespace,
      name: options.name ?? (name === '' ? undefined : name),
      view: options.view,
    },
  );
}

/** What a query has of CreateOptions and UpdateOptions. */
function writeOptions(query: Query): JsonObject {
  const dryRun = query.get('dryRun');
  const fieldManager = queryValue(query, 'fieldManager');
  const fieldValidation = queryValue(query, 'fieldValidation');
  return {
    ...(dryRun === undefined ? {} : { dryRun: [...dryRun] }),
    ...(fieldManager ? { fieldManager } : {}),
    ...(fieldValidation ? { fieldValidation } : {}),
  };
}

/**
 * Reads the options of a connection from the query, as an object of their kind. (PodExecOptions and its like)
 *
 * @param path of a proxy: what stands behind it in the path of the request
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
