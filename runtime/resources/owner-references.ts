import { stableText } from '../machinery/json/equality.ts';
import type { KubeObject } from '../machinery/object.ts';

const contains = '.metadata.ownerReferences contains duplicate entries';
const dedups = 'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24';

/**
 * Removes duplicate owner references, and adds a warning about them. Upstream checks the client's object and the result
 * of admission, but patched objects only after admission. (endpoints/handlers/rest.go
 * dedupOwnerReferencesAndAddWarning)
 */
export function dedupOwnerReferencesAndAddWarning({ metadata }: KubeObject, warn: (text: string) => void, when: 'sent' | 'admitted'): void {
  const { ownerReferences } = metadata;
  if (ownerReferences === undefined || ownerReferences.length < 2) return;
  const unique: typeof ownerReferences = [];
  const duplicateUids: string[] = [];
  const seen = new Set<string>();
  for (const owner of ownerReferences) {
    const text = stableText(owner);
    if (seen.has(text)) duplicateUids.push(owner.uid);
    else unique.push(owner);
    seen.add(text);
  }
  if (duplicateUids.length === 0) return;
  metadata.ownerReferences = unique;
  const warning =
    when === 'sent' ? `${contains}; ${dedups}; please fix your requests` : `${contains} after mutating admission happens; ${dedups}`;
  warn(`${warning}; duplicate UID(s) observed: ${duplicateUids.join(', ')}`);
}
