import { quote } from '../../machinery/quote.ts';
import { applyConflict, type StatusCause, type StatusError } from '../../machinery/status.ts';
import type { Conflict } from '../apply/managers.ts';
import { pathText } from '../field-set/path-element.ts';
import { compareText } from '../field-set/value-order.ts';
import { parseIdentifier } from './identifier.ts';

/** 409 with one cause a field. (apimachinery managedfields/internal/conflict.go) */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const causes: StatusCause[] = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return applyConflict(causes, conflictMessage(conflicts));
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  if (conflicts.length === 1) {
    const [{ manager, path }] = conflicts;
    return `Apply failed with 1 conflict: conflict with ${managerText(manager)}: ${pathText(path)}`;
  }
  const lines: string[] = [];
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].sort(compareText);
  for (const name of managers) {
    lines.push(`conflicts with ${managerText(name)}:`);
    for (const { manager, path } of conflicts) if (manager === name) lines.push(`- ${pathText(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText(identifier: string): string {
  const entry = parseIdentifier(identifier);
  if (entry === undefined) return quote(identifier);
  const { manager = '', subresource, operation, apiVersion = '' } = entry;
  const name = subresource ? `${quote(manager)} with subresource ${quote(subresource)}` : quote(manager);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
