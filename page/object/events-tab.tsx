import type { ComponentChildren } from 'preact';
import { ResourceTable } from '../resources/resource-table.tsx';
import { resourceOf } from '../server/discovery.ts';
import type { KubeObject } from './kube-object.ts';

/** The events about an object. */
export function EventsTab({ object }: { readonly object: KubeObject }): ComponentChildren {
  const events = resourceOf('', 'events');
  if (events === undefined) return <div class="empty">The server has no events.</div>;
  const { uid = '', namespace = '' } = object.metadata;
  const query = new URLSearchParams({ fields: `involvedObject.uid=${uid}`, namespace: namespace === '' ? 'default' : namespace });
  return <ResourceTable resource={events} query={query} isPart />;
}
