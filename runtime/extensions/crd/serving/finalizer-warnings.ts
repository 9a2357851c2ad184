import { quoteExcerpt as quote } from '../../../machinery/go/quote.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { labelKey } from '../../../machinery/validation/name-formats.ts';

const where = 'metadata.finalizers';
const standard: ReadonlySet<string> = new Set(['foregroundDeletion', 'kubernetes', 'orphan']);

/** Of finalizers that a custom resource gets. (apiextensions-apiserver pkg/registry/customresource/strategy.go) */
export function warningsForNewFinalizers({ metadata }: KubeObject, old: KubeObject | undefined): readonly string[] {
  const { finalizers } = metadata;
  if (finalizers === undefined || finalizers.length === 0) return [];
  const known = new Set(old?.metadata.finalizers);
  const added = new Set(finalizers.filter((name) => !known.has(name)));
  return [...added].sort().flatMap(warningsForFinalizer);
}

function warningsForFinalizer(name: string): string[] {
  const warnings = labelKey(name).map((why) => `${where}: ${quote(name)}: ${why}`);
  if (name.includes('/') || standard.has(name)) return warnings;
  const better = name.includes('.') ? 'name including a path (/)' : 'name';
  const advice = `prefer a domain-qualified finalizer ${better} to avoid accidental conflicts with other finalizer writers`;
  return [...warnings, `${where}: ${quote(name)}: ${advice}`];
}
