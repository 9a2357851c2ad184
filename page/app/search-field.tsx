import type { Ref } from 'preact';
import { route, setQuery } from './route.ts';

interface SearchFieldProps {
  /** The field, for the key that leads to it. */
  readonly field: Ref<HTMLInputElement>;
  readonly label: string;
  readonly placeholder: string;
}

/** The search in a view, whose text is in the address. */
export function SearchField({ field, label, placeholder }: SearchFieldProps) {
  return (
    <input
      ref={field}
      type="search"
      class="filter-text"
      placeholder={placeholder}
      aria-label={label}
      value={route.value.query.get('text') ?? ''}
      onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
    />
  );
}
