import type { OperationModel } from './model.ts';

/**
 * One operation for each action on each path: the methods of a `connect` path (GET and POST of pods/exec, all methods
 * of a proxy) are one operation, and the documents of the group-versions themselves are none. This is the count that
 * Kubernetes v1.35 has 963 of, in 1038 methods.
 */
export function distinctOperations(operations: readonly OperationModel[]): OperationModel[] {
  const byAction = new Map<string, OperationModel>();
  for (const operation of operations) {
    const key = `${operation.action} ${operation.path}`;
    if (operation.action !== undefined && !byAction.has(key)) byAction.set(key, operation);
  }
  return [...byAction.values()];
}
