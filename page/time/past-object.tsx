import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../app/route.ts';
import { DiffView } from '../object/diff-view.tsx';
import { type KubeObject, withoutManagedFields } from '../object/kube-object.ts';
import { yamlOf } from '../object/owned-yaml.ts';
import { pathOf, type Resource } from '../server/discovery.ts';
import { request } from '../server/request.ts';

export interface PastObjectProps {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  close(): void;
}

interface Texts {
  readonly then: string;
  readonly now: string;
}

/** An object as it was at a revision, and what is different now. */
export function PastObject({ resource, namespace, name, revision, close }: PastObjectProps): ComponentChildren {
  const texts = useSignal<Texts | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const end = new AbortController();
    const at = new URLSearchParams({ resourceVersion: String(revision), resourceVersionMatch: 'Exact' });
    Promise.all([textOf(resource, namespace, name, at, end.signal), textOf(resource, namespace, name, new URLSearchParams(), end.signal)])
      .then(([then, now]) => {
        texts.value = { then, now };
        problem.value = '';
      })
      .catch((error: unknown) => {
        if (!end.signal.aborted) problem.value = error instanceof Error ? error.message : String(error);
      });
    return () => end.abort();
  }, [resource, namespace, name, revision]);
  return (
    <aside class="moment" aria-label="The object then">
      <header>
        <h2>
          {resource.kind} {name} at {revision}
        </h2>
        <button type="button" class="quiet" onClick={close} aria-label="Close the object">
          ✕
        </button>
      </header>
      {problem.value !== '' && <p class="subtle">{problem.value}</p>}
      {texts.value && (
        <>
          <pre>{texts.value.then || 'It did not exist.'}</pre>
          <h3>What is different now</h3>
          <DiffView before={texts.value.then} after={texts.value.now} context={1} />
          <p>
            <a href={hrefOf('object', [resource.group, resource.resource, namespace, name], { tab: 'revisions' })}>All its revisions</a>
          </p>
        </>
      )}
    </aside>
  );
}

interface ObjectList {
  readonly apiVersion: string;
  readonly items: readonly KubeObject[] | null;
}

/** Lists, because kube-apiserver has no get at a revision. Returns "" for an object that is not there. */
async function textOf(resource: Resource, namespace: string, name: string, at: URLSearchParams, signal: AbortSignal): Promise<string> {
  const query = new URLSearchParams([...at, ['fieldSelector', `metadata.name=${name}`]]);
  const { apiVersion, items } = await request<ObjectList>(`${pathOf(resource, namespace)}?${query}`, { signal });
  const [object] = items ?? [];
  if (object === undefined) return '';
  const plain = withoutManagedFields(object);
  const { resourceVersion: _, ...metadata } = plain.metadata;
  return yamlOf({ apiVersion, kind: resource.kind, ...plain, metadata });
}
