import type { OperationModel } from '../model/model.ts';
import { type HttpMethod, httpMethods, type Operation, type PathItem } from './openapi.ts';
import type { SourceDocument } from './schemas-folder.ts';

/** An operation with its parsed path. */
export interface ResourceOperation {
  readonly model: OperationModel;
  readonly method: HttpMethod;
  readonly operation: Operation;
  readonly item: PathItem;
  readonly path: ResourcePath;
  readonly file: string;
}

/** A parsed path. Without `plural` it is the path of the group-version itself. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly plural?: string;
  readonly subresource?: string;
  readonly namespaced: boolean;
  /** Whether the path is for a single object, not a collection. */
  readonly named: boolean;
  readonly watch: boolean;
  /** Whether the path ends in a part that the client chooses: `proxy/{path}`. */
  readonly trailing: boolean;
}

/**
 * Returns the operations of all documents that belong to a group-version: in path order, methods in OpenAPI's order.
 */
export function resourceOperations(documents: readonly SourceDocument[]): ResourceOperation[] {
  return documents.flatMap(({ file, document }) =>
    Object.entries(document.paths ?? {}).flatMap(([text, item]) => {
      const path = parseResourcePath(text);
      if (!path) return [];
      return httpMethods.flatMap((method) => {
        const operation = item[method];
        return operation ? [{ model: operationModel(text, method, operation), method, operation, item, path, file }] : [];
      });
    }),
  );
}

function operationModel(path: string, method: HttpMethod, operation: Operation): OperationModel {
  const action = operation['x-kubernetes-action'];
  return { id: operation.operationId ?? `${method} ${path}`, method, path, ...(action ? { action } : {}) };
}

/**
 * Parses a path below `/api/<version>` or `/apis/<group>/<version>`; undefined for others, such as /version or
 * /healthz.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const match = /^\/(?:api\/([^/{]+)|apis\/([^/{]+)\/([^/{]+))(?:\/(.*))?$/.exec(path);
  if (!match) return undefined;
  const [group, version] = match[1] !== undefined ? ['', match[1]] : [match[2], match[3]];
  const parts = (match[4] ?? '').split('/').filter((part) => part !== '');
  const watch = parts[0] === 'watch';
  if (watch) parts.shift();
  const namespaced = parts.length > 2 && parts[0] === 'namespaces' && parts[1] === '{namespace}';
  if (namespaced) parts.splice(0, 2);
  const [plural, name, subresource, ...rest] = parts;
  return {
    group: group ?? '',
    version: version ?? '',
    ...(plural !== undefined ? { plural } : {}),
    ...(subresource !== undefined ? { subresource } : {}),
    namespaced,
    named: name !== undefined,
    watch,
    trailing: rest.length > 0,
  };
}
