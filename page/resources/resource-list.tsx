import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { hrefOf } from '../app/route.ts';
import { countKey, counts } from '../server/counts.ts';
import { groups } from '../server/discovery.ts';

export interface ResourceListProps {
  readonly group: string;
  readonly resource: string;
}

/** All groups and their resources, with the number of their objects. */
export function ResourceList({ group, resource }: ResourceListProps): ComponentChildren {
  const text = useSignal('');
  const wanted = text.value.toLowerCase().trim();
  return (
    <nav class="resource-list" aria-label="Resources">
      <input
        type="search"
        placeholder="Find a kind"
        aria-label="Find a kind"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      {groups.value.map(({ name, resources }) => {
        const shown = resources.filter(({ resource: plural, kind, shortNames }) =>
          [name, plural, kind.toLowerCase(), ...shortNames].some((word) => word.includes(wanted)),
        );
        if (shown.length === 0) return null;
        return (
          <section key={name}>
            <h2>{name === '' ? 'core' : name}</h2>
            <ul>
              {shown.map(({ resource: plural, kind }) => {
                const count = counts.value?.get(countKey(name, plural));
                const isCurrent = name === group && plural === resource;
                return (
                  <li key={plural}>
                    <a href={hrefOf('resources', [name, plural])} aria-current={isCurrent ? 'page' : undefined} class={count ? '' : 'none'}>
                      <span>{kind}</span>
                      {counts.value !== undefined && <span class="count">{count ?? 0}</span>}
                    </a>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}
