import { excerpt } from '../../machinery/errors/excerpt.ts';
import { applyConflict, type StatusCause, type StatusError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { maxDetailLength, maxReportedErrors } from '../../machinery/limits.ts';
import { pathToString } from '../fieldpath/path-element.ts';
import type { Conflict } from '../merge/conflict.ts';
import { parseManagerIdentifier } from './managed-fields.ts';

/** Returns an error 409 with a cause for each field. (apimachinery managedfields/internal/conflict.go) */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  const reported = conflicts.slice(0, maxReportedErrors).map(({ manager, path }) => ({
    manager: formatManager(manager),
    field: excerpt(pathToString(path)),
  }));
  const causes: StatusCause[] = reported.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return applyConflict(causes, conflictMessage(reported, conflicts.length));
}

interface ReportedConflict {
  readonly manager: string;
  readonly field: string;
}

/** @param reported sorted by manager */
function conflictMessage(reported: readonly ReportedConflict[], count: number): string {
  const [first] = reported;
  if (first && count === 1) {
    const { manager, field } = first;
    return `Apply failed with 1 conflict: conflict with ${manager}: ${field}`;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { manager, field } of reported) {
    if (manager !== last) lines.push(`conflicts with ${manager}:`);
    last = manager;
    lines.push(`- ${field}`);
  }
  if (count > reported.length) lines.push('...');
  return excerpt(`Apply failed with ${count} conflicts: ${lines.join('\n')}`, maxDetailLength);
}

function formatManager(identifier: string): string {
  const entry = parseManagerIdentifier(identifier);
  if (entry === undefined) return quote(identifier);
  const { manager = '', subresource, operation, apiVersion = '' } = entry;
  const name = subresource ? `${quote(manager)} with subresource ${quote(subresource)}` : quote(manager);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
