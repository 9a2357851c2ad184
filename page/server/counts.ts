import { signal } from '@preact/signals';
import { ApiError, send } from './request.ts';

/** The number of objects by `resource.group`. Undefined for users who may not read metrics. */
export const counts = signal<ReadonlyMap<string, number> | undefined>(new Map());

export const countKey = (group: string, resource: string): string => `${resource}.${group}`;

const line = /^apiserver_resource_objects\{([^}]*)\} ([\d.e+]+)$/;

/** Reads how many objects there are of each resource. */
export async function readCounts(): Promise<void> {
  try {
    const text = await (await send('/metrics', { accept: 'text/plain' })).text();
    counts.value = countsIn(text);
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) counts.value = undefined;
    else if (!(error instanceof TypeError)) throw error;
  }
}

function countsIn(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const row of text.split('\n')) {
    const match = line.exec(row);
    if (match === null) continue;
    const labels = match[1] ?? '';
    const group = /\bgroup="([^"]*)"/.exec(labels)?.[1] ?? '';
    const resource = /\bresource="([^"]*)"/.exec(labels)?.[1] ?? '';
    found.set(countKey(group, resource), Number(match[2]));
  }
  return found;
}
