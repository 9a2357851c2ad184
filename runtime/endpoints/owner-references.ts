import type { KubeObject } from '../machinery/object.ts';
import { stableText } from '../structural/schema/stable-text.ts';

const contains = '.metadata.ownerReferences contains duplicate entries';
const dedups = 'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24';

/**
 * Drops owners that are named twice, word for word, and says so. Upstream looks at what a client sent, and at what
 * admission made of it: a patch is looked at only then. (endpoints/handlers/rest.go dedupOwnerReferencesAndAddWarning)
 */
export function dedupOwnerReferencesAndAddWarning(
  { metadata }: KubeObject,
  warn: (text: string) => void,
  when: 'sent' | 'admitted',
): void {
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined || ownerReferences.length < 2) return;
  const kept: typeof ownerReferences = [];
  const twice: string[] = [];
  const seen = new Set<string>();
  for (const owner of ownerReferences) {
    const text = stableText(owner);
    if (seen.has(text)) twice.push(owner.uid);
    else kept.push(owner);
    seen.add(text);
  }
  if (twice.length === 0) return;
  metadata.ownerReferences = kept;
  const what =
    when === 'sent'
      ? `${contains}; ${dedups}; please fix your requests`
      : `${contains} after mutating admission happens; ${dedups}`;
  warn(`${what}; duplicate UID(s) observed: ${twice.join(', ')}`);
}
