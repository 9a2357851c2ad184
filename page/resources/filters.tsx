import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import { setQuery } from '../app/route.ts';
import { SearchField } from '../app/search-field.tsx';
import { request } from '../server/request.ts';

interface NamedList {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

export interface FiltersProps {
  readonly namespaced: boolean;
  readonly query: URLSearchParams;
}

/** The fields above a table. Namespaces and selectors go to the server, the text only looks at the rows. */
export function Filters({ namespaced, query }: FiltersProps): ComponentChildren {
  const [namespaces, setNamespaces] = useState<readonly string[]>([]);
  const text = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!namespaced) return;
    request<NamedList>('/api/v1/namespaces', { accept: metadataOnly })
      .then(({ items }) => setNamespaces(items.map(({ metadata }) => metadata.name)))
      .catch(() => undefined);
  }, [namespaced]);
  useKeys([{ keys: '/', about: 'Search in the table', run: () => text.current?.focus() }]);
  const current = query.get('namespace') ?? '';
  const known = current === '' || namespaces.includes(current) ? namespaces : [current, ...namespaces];
  return (
    <div class="filters" role="search">
      <SearchField field={text} label="Search in the rows" placeholder="Search rows  /" />
      {namespaced && (
        <select aria-label="Namespace" value={current} onChange={({ currentTarget }) => setQuery({ namespace: currentTarget.value })}>
          <option value="">All namespaces</option>
          {known.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <SelectorInput name="labels" label="Label selector" placeholder="app=web, tier in (a, b)" query={query} />
      <SelectorInput name="fields" label="Field selector" placeholder="metadata.name=web" query={query} />
    </div>
  );
}

interface SelectorInputProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly query: URLSearchParams;
}

function SelectorInput({ name, label, placeholder, query }: SelectorInputProps): ComponentChildren {
  return (
    <input
      type="text"
      class="filter-selector"
      aria-label={label}
      title={label}
      placeholder={placeholder}
      spellcheck={false}
      value={query.get(name) ?? ''}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value.trim() })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') setQuery({ [name]: event.currentTarget.value.trim() });
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
