import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { parse } from 'yaml';
import { pathOf, type Resource } from '../server/discovery.ts';
import { ApiError, type Cause, request } from '../server/request.ts';
import { applyConfiguration, pageManager } from './apply-configuration.ts';
import { DiffView } from './diff-view.tsx';
import { valueAt, without } from './field-path.ts';
import { isRecord, type KubeObject, withoutManagedFields } from './kube-object.ts';
import { yamlOf } from './owned-yaml.ts';

export interface EditBarProps {
  readonly resource: Resource;
  /** The object that the edit began with. */
  readonly base: KubeObject;
  readonly text: string;
  close(): void;
}

interface Review {
  readonly text: string;
  readonly kept: readonly string[];
  readonly conflicts: readonly Cause[];
  /** What the server would store. Absent with conflicts. */
  readonly result?: KubeObject;
}

type Choice = 'theirs' | 'mine';

/** The steps from an edited text to a stored object: a dry run, conflicts field by field, and the write. */
export function EditBar({ resource, base, text, close }: EditBarProps): ComponentChildren {
  const review = useSignal<Review | undefined>(undefined);
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const choices = useSignal<Readonly<Record<string, Choice>>>({});
  const current = review.value?.text === text ? review.value : undefined;

  const run = async (dryRun: boolean): Promise<void> => {
    isBusy.value = true;
    problem.value = '';
    try {
      const edited = objectIn(text);
      const { configuration, kept } = applyConfiguration(base, edited);
      const theirs = Object.entries(choices.value).filter(([, choice]) => choice === 'theirs');
      const sent = theirs.reduce<unknown>((rest, [field]) => without(rest, field), configuration);
      const force = Object.values(choices.value).includes('mine');
      const result = await apply(resource, base, sent, { dryRun, force });
      if (dryRun) review.value = { text, kept, conflicts: [], result };
      else close();
    } catch (error) {
      if (error instanceof ApiError && error.code === 409 && error.causes.length > 0) {
        review.value = { text, kept: [], conflicts: error.causes };
        choices.value = Object.fromEntries(error.causes.map(({ field = '' }) => [field, choices.value[field] ?? 'theirs']));
      } else problem.value = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.value = false;
    }
  };

  return (
    <div class="edit">
      <h2>Edit by server-side apply</h2>
      <p class="subtle">Only the fields that you change are applied, and become those of {pageManager}.</p>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {current?.conflicts.map(({ field = '', message = '' }) => (
        <fieldset key={field}>
          <legend>
            <code>{field}</code>
          </legend>
          <p>{message}</p>
          {(['theirs', 'mine'] as const).map((choice) => (
            <label key={choice}>
              <input
                type="radio"
                name={field}
                checked={choices.value[field] === choice}
                onChange={() => (choices.value = { ...choices.value, [field]: choice })}
              />
              {choice === 'theirs' ? 'Keep theirs' : 'Force mine'}:{' '}
              <code>{shown(valueAt(choice === 'theirs' ? base : objectIn(text), field))}</code>
            </label>
          ))}
        </fieldset>
      ))}
      {current !== undefined && current.kept.length > 0 && (
        <p class="subtle">
          Apply does not remove fields of others: <code>{current.kept.join(', ')}</code>
        </p>
      )}
      {current?.result && (
        <>
          <h3>What the dry run changes</h3>
          <DiffView before={yamlOf(shownPart(base))} after={yamlOf(shownPart(current.result))} context={1} />
        </>
      )}
      <div class="buttons">
        <button type="button" class={current?.result ? '' : 'primary'} disabled={isBusy.value} onClick={() => run(true)}>
          Dry run
        </button>
        <button type="button" class="primary" disabled={isBusy.value || current?.result === undefined} onClick={() => run(false)}>
          Apply
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </div>
  );
}

/** @throws Error for text that is no object */
function objectIn(text: string): KubeObject {
  const object: unknown = parse(text);
  if (!isRecord(object) || !isRecord(object.metadata)) throw new Error('The text is no object with metadata.');
  return object as KubeObject;
}

function apply(
  resource: Resource,
  { metadata }: KubeObject,
  configuration: unknown,
  { dryRun, force }: { readonly dryRun: boolean; readonly force: boolean },
): Promise<KubeObject> {
  const query = new URLSearchParams({ fieldManager: pageManager, force: String(force), ...(dryRun && { dryRun: 'All' }) });
  return request<KubeObject>(`${pathOf(resource, metadata.namespace, metadata.name)}?${query}`, {
    method: 'PATCH',
    contentType: 'application/apply-patch+yaml',
    body: JSON.stringify(configuration),
  });
}

/** Leaves out what each write changes. */
function shownPart(object: KubeObject): unknown {
  const { metadata, ...rest } = withoutManagedFields(object);
  const { resourceVersion: _, generation: __, ...others } = metadata as KubeObject['metadata'] & { generation?: number };
  return { ...rest, metadata: others };
}

const shown = (value: unknown): string => (value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value));
