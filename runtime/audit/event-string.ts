import { quote } from '../machinery/go/quote.ts';
import type { AuditEvent } from './event.ts';

/** Returns an event as one line of text, for the format `legacy` and for errors. (audit.EventString) */
export function eventString({ fields }: AuditEvent): string {
  const { request, stage, impersonatedUser: as, objectRef, responseStatus } = fields;
  const { user } = request;
  const isNamed = user !== undefined && user.name !== '';
  const groups = isNamed && user.groups.length > 0 ? quotedList(user.groups) : '<none>';
  const asGroups = as === undefined ? '<lookup>' : quotedList(as.groups);
  const namespace = objectRef?.namespace || '<none>';
  const response = responseStatus === undefined ? '<deferred>' : String(responseStatus.code ?? 0);
  const ip = request.sourceIPs[0] ?? '<unknown>';
  return (
    `${rfc3339(request.receivedAt)} AUDIT: id=${quote(request.auditId)} stage=${quote(stage)} ip=${quote(ip)} ` +
    `method=${quote(request.verb)} user=${quote(isNamed ? user.name : '<none>')} groups=${quote(groups)} ` +
    `as=${quote(as?.name ?? '<self>')} asgroups=${quote(asGroups)} user-agent=${quote(request.userAgent)} ` +
    `namespace=${quote(namespace)} uri=${quote(request.uri)} response="${response}"`
  );
}

const quotedList = (values: readonly string[]): string => values.map(quote).join(',');

/** Returns a time in Go's format time.RFC3339Nano, whose fraction of a second has no trailing zeroes. */
const rfc3339 = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
