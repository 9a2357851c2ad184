import { excerpt } from '../../machinery/errors/excerpt.ts';
import { applyConflict, type StatusCause, type StatusError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { maxDetailLength, maxReportedErrors } from '../../machinery/limits.ts';
import type { Conflict } from '../apply/managers.ts';
import { pathText } from '../field-set/path-element.ts';
import { parseIdentifier } from './identifier.ts';

/** 409 with one cause a field. (apimachinery managedfields/internal/conflict.go) */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const told = conflicts.slice(0, maxReportedErrors).map(({ manager, path }) => ({
    manager: managerText(manager),
    field: excerpt(pathText(path)),
  }));
  const causes: StatusCause[] = told.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return applyConflict(causes, conflictMessage(told, conflicts.length));
}

/** `told` is in the order of the managers. */
function conflictMessage(told: readonly { readonly manager: string; readonly field: string }[], count: number): string {
  if (count === 1) {
    const [{ manager, field }] = told;
    return `Apply failed with 1 conflict: conflict with ${manager}: ${field}`;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { manager, field } of told) {
    if (manager !== last) lines.push(`conflicts with ${manager}:`);
    last = manager;
    lines.push(`- ${field}`);
  }
  if (count > told.length) lines.push('...');
  return excerpt(`Apply failed with ${count} conflicts: ${lines.join('\n')}`, maxDetailLength);
}

function managerText(identifier: string): string {
  const entry = parseIdentifier(identifier);
  if (entry === undefined) return quote(identifier);
  const { manager = '', subresource, operation, apiVersion = '' } = entry;
  const name = subresource ? `${quote(manager)} with subresource ${quote(subresource)}` : quote(manager);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
