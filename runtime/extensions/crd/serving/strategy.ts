import { forbidden } from '../../../machinery/errors/status.ts';
import { quoteExcerpt as quote } from '../../../machinery/go/quote.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { labelKey } from '../../../machinery/validation/name-formats.ts';
import type { RESTStrategy } from '../../../resources/rest.ts';

/**
 * The strategy that all custom resources share.
 * (apiextensions-apiserver pkg/registry/customresource/strategy.go; customresource_handler.go refuses the creation)
 */
export function customResourceStrategy(isTerminating: () => boolean): RESTStrategy {
  return {
    prepareForCreate(object, { definition }) {
      if (!isTerminating()) return;
      const message = 'create not allowed while custom resource definition is terminating';
      throw forbidden(definition, object.metadata.name ?? '', message);
    },
    warnings: (object, old, { part }) => (part === 'main' ? warningsForNewFinalizers(object, old) : []),
  };
}

const path = 'metadata.finalizers';
const standardFinalizers: ReadonlySet<string> = new Set(['foregroundDeletion', 'kubernetes', 'orphan']);

/** Exported for tests. */
export function warningsForNewFinalizers({ metadata }: KubeObject, old: KubeObject | undefined): readonly string[] {
  const { finalizers } = metadata;
  if (finalizers === undefined || finalizers.length === 0) return [];
  const known = new Set(old?.metadata.finalizers);
  const added = new Set(finalizers.filter((name) => !known.has(name)));
  return [...added].sort().flatMap(warningsForFinalizer);
}

function warningsForFinalizer(name: string): string[] {
  const warnings = labelKey(name).map((problem) => `${path}: ${quote(name)}: ${problem}`);
  if (name.includes('/') || standardFinalizers.has(name)) return warnings;
  const preferred = name.includes('.') ? 'name including a path (/)' : 'name';
  const advice = `prefer a domain-qualified finalizer ${preferred} to avoid accidental conflicts with other finalizer writers`;
  return [...warnings, `${path}: ${quote(name)}: ${advice}`];
}
