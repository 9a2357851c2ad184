import type { Difference } from './compare.ts';

/** The operation that a request is, as `PATCH apply status`. */
function operationOf({ scene, at }: Difference): string {
  const { method, path, contentType = '' } = scene.requests[at];
  const after = path.startsWith(scene.collection) ? path.slice(scene.collection.length).split('?')[0].split('/') : [];
  const type = method === 'PATCH' ? ` ${contentType.replace(/application\/|-patch\+\w+/g, '')}` : '';
  const subresource = after.length > 2 ? ` ${after[2]}` : '';
  const form = scene.requests[at].accept ?? '';
  const name = /Table|Partial|yaml|protobuf/.exec(form)?.[0] ?? '';
  return `${method}${type}${subresource}${name && ` ${name}`}${path.includes('watch=') ? ' watch' : ''}`;
}

/** A text with the same words for the same mistakes: without what is quoted and without numbers. */
const template = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"').replaceAll(/\d+/g, '0');

/** The same for differences that most likely have the same cause. */
export function signatureOf(difference: Difference): string {
  const { path, reference, own, scene } = difference;
  const place = path.replaceAll(/\[\d+\]/g, '[]');
  const shown = (value: unknown): string =>
    typeof value === 'string'
      ? template(value).slice(0, 160)
      : typeof value === 'object' && value !== null
        ? Array.isArray(value)
          ? '[…]'
          : '{…}'
        : String(value);
  return `${scene.title}: ${place}: ${shown(reference)} | ${shown(own)}`;
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'absent';
const cut = (value: string, length: number): string => (value.length > length ? `${value.slice(0, length)}…` : value);

/** Prints differences, one for each answer, the frequent ones first. */
export function report(found: readonly (readonly Difference[])[], showsScenes: boolean, shown = 100): void {
  const groups = new Map<string, (readonly Difference[])[]>();
  for (const differences of found) {
    const key = signatureOf(differences[0]);
    groups.set(key, [...(groups.get(key) ?? []), differences]);
  }
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length);
  for (const group of sorted.slice(0, shown)) {
    const [[first]] = group;
    const { scene, at, answers } = first;
    console.log(`\n${group.length} x ${scene.title} ${operationOf(first)} (SEED=${scene.seed} KIND='${scene.title}')`);
    for (const request of scene.requests.slice(0, at)) if (showsScenes) console.log(`  before:    ${cut(text(request), 1500)}`);
    console.log(`  request:   ${cut(text(scene.requests[at]), 1500)}`);
    for (const { path, reference, own } of group[0].slice(0, 6)) {
      console.log(`  ${path}\n    reference: ${cut(text(reference), 700)}\n    here:      ${cut(text(own), 700)}`);
    }
    const [a, b] = answers.map(({ body }) => body?.message);
    if (answers[0].status !== answers[1].status)
      console.log(`  messages:\n    reference: ${cut(text(a), 700)}\n    here:      ${cut(text(b), 700)}`);
  }
}
