import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { hrefOf } from '../app/route.ts';
import { DiffView } from '../object/diff-view.tsx';
import { type KubeObject, withoutManagedFields } from '../object/kube-object.ts';
import { yamlOf } from '../object/owned-yaml.ts';
import { pathOf, resourceOfKind } from '../server/discovery.ts';
import { ApiError, request } from '../server/request.ts';
import { momentText } from './moment-text.ts';
import { type Moment, objectOf, type Reaction, type Write } from './timeline.ts';

export interface MomentDetailsProps {
  readonly moment: Moment;
  readonly reactions: readonly Reaction[];
  /** The last write of the same object before. */
  readonly previous: Write | undefined;
  choose(write: Write): void;
  close(): void;
}

/** One moment: the facts of its request, and of a write what it changed and who reacted. */
export function MomentDetails({ moment, reactions, previous, choose, close }: MomentDetailsProps): ComponentChildren {
  const { what, subject, result, time } = momentText(moment);
  const write = moment.what === 'write' ? moment.write : undefined;
  const of = moment.what === 'request' ? moment.request : moment.what === 'event' ? moment.watch : moment.write.request;
  return (
    <aside class="moment" aria-label="Details">
      <header>
        <h2>
          {moment.client}: {what}
        </h2>
        <button type="button" class="quiet" onClick={close} aria-label="Close the details">
          ✕
        </button>
      </header>
      <p>{subject}</p>
      <dl>
        <Fact name="Time" value={time} />
        <Fact name="Result" value={result} />
        <Fact name="User" value={of?.user} />
        <Fact name="Agent" value={of?.agent} />
        <Fact name="Manager" value={write?.change.manager} />
        <Fact name="Path" value={of?.path} />
      </dl>
      {write !== undefined && (
        <>
          <h3>What it changed</h3>
          <WriteDiff key={write.change.revision} write={write} previous={previous} />
          <h3>Who reacted</h3>
          <Reactions time={write.change.time} reactions={reactions} choose={choose} />
        </>
      )}
    </aside>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string | undefined }): ComponentChildren {
  if (!value) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface ReactionsProps extends Pick<MomentDetailsProps, 'reactions' | 'choose'> {
  readonly time: number;
}

function Reactions({ time, reactions, choose }: ReactionsProps): ComponentChildren {
  if (reactions.length === 0) return <p class="subtle">No watch of a client was sent the change.</p>;
  return (
    <ul class="reactions">
      {reactions.map(({ client, delay, writes }) => (
        <li key={client}>
          <strong>{client}</strong> <span class="subtle">received it after {delay} ms</span>
          {writes.map((write) => (
            <button key={write.change.revision} type="button" onClick={() => choose(write)}>
              {write.change.time - (time + delay)} ms later: {write.request?.verb ?? write.change.type} {objectOf(write.change)}
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}

interface Texts {
  readonly before: string;
  readonly after: string;
}

function WriteDiff({ write, previous }: { readonly write: Write; readonly previous: Write | undefined }): ComponentChildren {
  const texts = useSignal<Texts | undefined>(undefined);
  const problem = useSignal('');
  const { change } = write;
  useEffect(() => {
    Promise.all([
      change.type === 'created' ? '' : textAt(write, previous?.change.revision ?? change.revision - 1),
      change.type === 'deleted' ? '' : textAt(write, change.revision),
    ])
      .then(([before, after]) => (texts.value = { before, after }))
      .catch((error: unknown) => (problem.value = error instanceof Error ? error.message : String(error)));
  }, []);
  const resource = resourceOfKind(change.apiVersion, change.kind);
  return (
    <>
      {problem.value !== '' && (
        <p class="subtle">
          {problem.value}. A server with <code>--history=all</code> knows each revision.
        </p>
      )}
      {texts.value && <DiffView {...texts.value} context={2} />}
      {resource !== undefined && (
        <p>
          <a href={hrefOf('object', [resource.group, resource.resource, change.namespace, change.name], { tab: 'revisions' })}>
            All revisions of the object
          </a>
        </p>
      )}
    </>
  );
}

interface ObjectList {
  readonly items: readonly KubeObject[] | null;
}

/** Returns an object as it was at a revision. */
async function textAt({ change }: Write, revision: number): Promise<string> {
  const resource = resourceOfKind(change.apiVersion, change.kind);
  if (resource === undefined) throw new ApiError(404, { message: `The server has no ${change.kind} now` });
  const query = new URLSearchParams({
    fieldSelector: `metadata.name=${change.name}`,
    resourceVersion: String(revision),
    resourceVersionMatch: 'Exact',
  });
  const { items } = await request<ObjectList>(`${pathOf(resource, change.namespace)}?${query}`);
  const [object] = items ?? [];
  if (object === undefined) return '';
  const plain = withoutManagedFields(object);
  const { resourceVersion: _, ...metadata } = plain.metadata;
  return yamlOf({ apiVersion: change.apiVersion, kind: change.kind, ...plain, metadata });
}
