import { randomBytes, randomUUID } from 'node:crypto';
import type { KubeObject, ObjectMeta } from '../machinery/object.ts';
import { timeText } from '../machinery/scalars/time.ts';

/** Consonants and digits that make no words and are not mistaken for each other. (apimachinery pkg/util/rand) */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestGeneratedBase = 63 - suffixLength;

/** A name that begins with `base`, cut so that the whole is at most 63 characters. (apiserver pkg/storage/names) */
export function generateName(base: string): string {
  const bytes = randomBytes(suffixLength);
  let suffix = '';
  for (const byte of bytes) suffix += alphabet[byte % alphabet.length];
  return base.slice(0, longestGeneratedBase) + suffix;
}

/** Gives a new object what only the server may give. (apiserver pkg/registry/rest/meta.go, create.go) */
export function fillNewMetadata(object: KubeObject, namespace: string, now: number): void {
  const { metadata } = object;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timeText(now);
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.resourceVersion;
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
}

/** What an update may not touch comes from the object as it is. (apiserver pkg/registry/rest/update.go) */
export function keepServerMetadata(metadata: ObjectMeta, old: ObjectMeta): void {
  delete metadata.selfLink;
  keep(metadata, old, 'uid');
  keep(metadata, old, 'creationTimestamp');
  keep(metadata, old, 'generation');
  // one that is set stays; setting one is refused by the validation
  if (old.deletionTimestamp) keep(metadata, old, 'deletionTimestamp');
  if (old.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

function keep<K extends keyof ObjectMeta>(metadata: ObjectMeta, old: ObjectMeta, name: K): void {
  if (old[name] === undefined) delete metadata[name];
  else metadata[name] = old[name];
}
