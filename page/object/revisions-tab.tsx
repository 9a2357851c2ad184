import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useKeys } from '../app/keys.ts';
import type { Resource } from '../server/discovery.ts';
import { DiffView } from './diff-view.tsx';
import { withoutManagedFields } from './kube-object.ts';
import { ObjectHistory, type Revision } from './object-history.ts';
import { yamlOf } from './owned-yaml.ts';

export interface RevisionsTabProps {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** The revisions of an object, newest first, and what each of them changed. */
export function RevisionsTab({ resource, namespace, name }: RevisionsTabProps): ComponentChildren {
  const history = useMemo(() => new ObjectHistory(resource, namespace, name), [resource, namespace, name]);
  useEffect(() => () => history.close(), [history]);
  const chosen = useSignal<string | undefined>(undefined);
  const revisions = history.revisions.value;
  const found = revisions.findIndex((revision) => revisionNumber(revision) === chosen.value);
  const at = found < 0 ? revisions.length - 1 : found;
  const move = (by: number) => (): void => {
    const next = revisions[Math.max(0, Math.min(revisions.length - 1, at + by))];
    chosen.value = next && revisionNumber(next);
  };
  useKeys(
    [
      { keys: 'j, ArrowDown', about: 'Earlier revision', run: move(-1) },
      { keys: 'k, ArrowUp', about: 'Later revision', run: move(1) },
    ],
    [revisions, at],
  );
  const current = revisions[at];
  if (history.problem.value !== '') return <div class="empty">{history.problem.value}</div>;
  if (current === undefined) return <div class="empty">No revision is known yet.</div>;
  const before = revisions[at - 1];
  return (
    <div class="revisions">
      <ol reversed aria-label="Revisions">
        {revisions.toReversed().map((revision) => (
          <li key={revisionNumber(revision)}>
            <button type="button" aria-current={revision === current} onClick={() => (chosen.value = revisionNumber(revision))}>
              <span class="revision-number">{revisionNumber(revision)}</span>
              <span class={`change change-${revision.type}`}>{revision.type}</span>
              <span class="legend-name">{revision.by || 'unknown'}</span>
              <time class="subtle">{revision.time === '' ? '' : new Date(revision.time).toLocaleTimeString()}</time>
            </button>
          </li>
        ))}
        {history.isCut.value && (
          <li class="subtle pad">
            Earlier revisions are compacted. A server with <code>--history=all</code> keeps them.
          </li>
        )}
      </ol>
      <section aria-label={`Revision ${revisionNumber(current)}`}>
        <DiffView
          before={current.type === 'created' || before === undefined ? '' : textOf(before)}
          after={current.type === 'deleted' ? '' : textOf(current)}
        />
      </section>
    </div>
  );
}

const revisionNumber = ({ object }: Revision): string => object.metadata.resourceVersion ?? '';

/** Leaves out the revision, which is different by itself. */
function textOf({ object }: Revision): string {
  const plain = withoutManagedFields(object);
  const { resourceVersion: _, ...metadata } = plain.metadata;
  return yamlOf({ ...plain, metadata });
}
