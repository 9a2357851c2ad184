import type { ComponentChildren } from 'preact';
import { partOf, route } from '../app/route.ts';
import { groups, resourceOf } from '../server/discovery.ts';
import { ResourceList } from './resource-list.tsx';
import { ResourceTable } from './resource-table.tsx';

/** All resources beside the table of one. */
export function ResourcesView(): ComponentChildren {
  const { parts, query } = route.value;
  const group = partOf(parts[0]);
  const name = parts[1] ?? 'pods';
  const resource = resourceOf(group, name);
  return (
    <div class="split">
      <ResourceList group={group} resource={name} />
      {resource === undefined ? (
        <div class="empty">{groups.value.length === 0 ? 'Loading' : `The server has no ${name}.`}</div>
      ) : (
        <ResourceTable key={`${group}/${name}`} resource={resource} query={query} />
      )}
    </div>
  );
}
