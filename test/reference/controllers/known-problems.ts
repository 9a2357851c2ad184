import type { LogLine } from './program.ts';

/** A line that depends on which of two writers comes first, with any server. */
interface Race {
  readonly text: RegExp;
  readonly why: string;
}

export const races: readonly Race[] = [
  { text: /Operation cannot be fulfilled on/, why: 'two controllers write the same object; the later one repeats its write' },
  { text: /not found/, why: 'an object is deleted while a controller works on it' },
  { text: /because it is being terminated/, why: 'a namespace is deleted while a controller creates objects in it' },
  { text: /unexpected items still remain in namespace/, why: 'pods of a deleted namespace take a moment to end' },
  { text: /found no controllers for pod/, why: 'the owner of a pod is deleted before the pod' },
  { text: /ReplicaSet has no controller/, why: 'the owner of a replication controller is looked for among ReplicaSets' },
  { text: /pvc [\w-]+ is being deleted/, why: 'a pod of a StatefulSet comes back before its deleted claim is gone' },
  { text: /Client\.Timeout/, why: 'the machine is too busy' },
  { text: /Error getting updated StatefulSet from lister/, why: 'a StatefulSet is deleted while its status is written' },
];

/** Returns the lines whose templates the others do not have, one of each. */
export function unexpected(lines: readonly LogLine[], others: readonly LogLine[]): readonly string[] {
  const known = new Set(others.map(({ template }) => template));
  const found = new Map<string, string>();
  for (const { text, template } of lines) {
    if (known.has(template) || races.some((race) => race.text.test(text))) continue;
    if (!found.has(template)) found.set(template, text);
  }
  return [...found.values()];
}
