import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import type { Resource } from '../server/discovery.ts';
import { EditBar } from './edit-bar.tsx';
import type { KubeObject } from './kube-object.ts';
import { ownedYaml } from './owned-yaml.ts';
import { YamlEditor } from './yaml-editor.tsx';

export interface YamlTabProps {
  readonly resource: Resource;
  readonly object: KubeObject;
}

/** The YAML of an object with the owner of each field, and its editor. */
export function YamlTab({ resource, object }: YamlTabProps): ComponentChildren {
  const owned = useMemo(() => ownedYaml(object), [object]);
  const chosen = useSignal<number | undefined>(undefined);
  /** The object that the edit began with. */
  const base = useSignal<KubeObject | undefined>(undefined);
  const edited = useSignal('');
  const begin = (): void => {
    edited.value = owned.text;
    base.value = object;
  };
  useKeys([{ keys: 'e', about: 'Edit the object', run: begin }], [owned]);
  const isEditing = base.value !== undefined;
  const fields = owned.owners.map((_, at) => owned.lines.filter((line) => line.includes(at)).length);
  const titles = owned.owners.map(({ name, operation }) => `${name}, ${operation}`);
  return (
    <div class="yaml-tab">
      <YamlEditor
        text={isEditing ? edited.value : owned.text}
        isEditable={isEditing}
        lines={owned.lines}
        titles={titles}
        chosen={chosen.value}
        onChange={(text) => (edited.value = text)}
      />
      <aside aria-label={isEditing ? 'Edit' : 'Owners of fields'}>
        {base.value === undefined ? (
          <>
            <h2>Who owns which field</h2>
            <ul class="legend">
              {owned.owners.map(({ name, operation, time }, at) => (
                <li key={`${name}/${operation}`}>
                  <button
                    type="button"
                    aria-pressed={chosen.value === at}
                    onClick={() => (chosen.value = chosen.value === at ? undefined : at)}
                  >
                    <span class={`swatch owner-${at % 8}`} />
                    <span class="legend-name">{name}</span>
                    <span class="subtle">
                      {operation} · {fields[at]} {fields[at] === 1 ? 'line' : 'lines'}
                    </span>
                    {time !== '' && <time class="subtle">{new Date(time).toLocaleTimeString()}</time>}
                  </button>
                </li>
              ))}
            </ul>
            {owned.owners.length === 0 && <p class="subtle">The object has no managed fields.</p>}
            <button type="button" onClick={begin}>
              Edit
            </button>
          </>
        ) : (
          <EditBar resource={resource} base={base.value} text={edited.value} close={() => (base.value = undefined)} />
        )}
      </aside>
    </div>
  );
}
