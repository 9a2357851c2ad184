import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import { hrefOf, partOf, route, setQuery } from '../app/route.ts';
import { WatchBadge } from '../resources/watch-badge.tsx';
import { groups, type Resource, resourceOf } from '../server/discovery.ts';
import { EventsTab } from './events-tab.tsx';
import { GraphTab } from './graph-tab.tsx';
import { ObjectSource } from './object-source.ts';
import { RevisionsTab } from './revisions-tab.tsx';
import { YamlTab } from './yaml-tab.tsx';

const tabs = [
  { name: 'yaml', title: 'YAML', key: 'y' },
  { name: 'revisions', title: 'Revisions', key: 'v' },
  { name: 'events', title: 'Events', key: 'n' },
  { name: 'graph', title: 'Graph', key: 'o' },
] as const;

/** One object. */
export function ObjectView(): ComponentChildren {
  const { parts } = route.value;
  const [group, name] = [partOf(parts[0]), partOf(parts[1])];
  const resource = resourceOf(group, name);
  if (resource === undefined) return <div class="empty">{groups.value.length === 0 ? 'Loading' : `The server has no ${name}.`}</div>;
  return <OneObject key={parts.join('/')} resource={resource} namespace={partOf(parts[2])} name={partOf(parts[3])} />;
}

interface OneObjectProps {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

function OneObject({ resource, namespace, name }: OneObjectProps): ComponentChildren {
  const source = useMemo(() => new ObjectSource(resource, namespace, name), []);
  useEffect(() => () => source.close(), [source]);
  useKeys(tabs.map(({ key, title, name: tab }) => ({ keys: `g ${key}`, about: `${title} of the object`, run: () => setQuery({ tab }) })));
  const object = source.object.value;
  const tab = route.value.query.get('tab') ?? 'yaml';
  return (
    <section class="object" aria-label={`${resource.kind} ${name}`}>
      <header class="view-head">
        <a href={hrefOf('resources', [resource.group, resource.resource])}>{resource.kind}</a>
        <h1>{name}</h1>
        {namespace !== '' && <span class="subtle">in {namespace}</span>}
        {source.isDeleted.value && <span class="badge badge-lost">Deleted</span>}
        <WatchBadge state={source.state.value} why={source.why.value} resumed={source.resumed.value} />
      </header>
      <div class="tabs" role="tablist" aria-label="Views of the object">
        {tabs.map(({ name: each, title }) => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab}
            aria-controls="tab-panel"
            onClick={() => setQuery({ tab: each })}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`}>
        {tab === 'revisions' ? (
          <RevisionsTab resource={resource} namespace={namespace} name={name} />
        ) : object === undefined ? (
          <div class="empty">{source.why.value || 'Loading'}</div>
        ) : tab === 'events' ? (
          <EventsTab object={object} />
        ) : tab === 'graph' ? (
          <GraphTab resource={resource} object={object} />
        ) : (
          <YamlTab resource={resource} object={object} />
        )}
      </div>
    </section>
  );
}
