import type { ManagedFieldsEntry } from '../../machinery/object.ts';

/** What tells one manager from another, as JSON text. Appliers are the same at every version. */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  return JSON.stringify({
    ...(manager ? { manager } : {}),
    ...(operation ? { operation } : {}),
    ...(apiVersion && operation !== 'Apply' ? { apiVersion } : {}),
    ...(subresource ? { subresource } : {}),
  });
}

/** The inverse; undefined for text that is no identifier. */
export function parseIdentifier(identifier: string): ManagedFieldsEntry | undefined {
  try {
    const entry: unknown = JSON.parse(identifier);
    return typeof entry === 'object' && entry !== null ? (entry as ManagedFieldsEntry) : undefined;
  } catch {
    return undefined;
  }
}
