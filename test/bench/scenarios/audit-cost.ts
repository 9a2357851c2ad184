import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditMetrics } from '../../../runtime/audit/audit-metrics.ts';
import { LogBackend } from '../../../runtime/audit/log/backend.ts';
import { RotatingFile } from '../../../runtime/audit/log/rotating-file.ts';
import { PluginErrors } from '../../../runtime/audit/plugin-errors.ts';
import { PolicyRuleEvaluator } from '../../../runtime/audit/policy/checker.ts';
import type { PolicyRule } from '../../../runtime/audit/types.ts';
import { withAudit } from '../../../runtime/filters/audit.ts';
import type { ApiContext } from '../../../runtime/http/context.ts';
import { parseRequestInfo } from '../../../runtime/http/request-info.ts';
import { RequestState } from '../../../runtime/http/request-state.ts';
import { systemClock } from '../../../runtime/machinery/clock.ts';
import { silentLogger } from '../../../runtime/machinery/logger.ts';
import { reportCostOfTwo } from '../cost-of-two.ts';
import type { Report } from '../report.ts';

const path = '/api/v1/namespaces/default/pods/p';
const nobody: readonly PolicyRule[] = [{ level: 'Metadata', users: ['nobody'] }];
/** Rules like those of kube-up's policy: requests that are not logged come first. */
const metadata: readonly PolicyRule[] = [
  { level: 'None', users: ['system:kube-proxy'], verbs: ['watch'], resources: [{ resources: ['endpoints'] }] },
  { level: 'None', userGroups: ['system:nodes'], verbs: ['get'], resources: [{ resources: ['nodes'] }] },
  { level: 'None', nonResourceURLs: ['/healthz*', '/version'] },
  { level: 'None', resources: [{ resources: ['events'] }] },
  { level: 'Metadata' },
];

/** Measures the audit of a GET, logged to a file. */
export async function auditCost(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-audit-cost-'));
  try {
    const log = join(folder, 'audit.log');
    const times = [nobody, metadata].map((rules) => `${inItself(rules, log).toFixed(1)} µs`);
    const title = 'audit of one GET, in itself: that no rule logs; its metadata';
    report.row(title, times.join(', '), '', 'next to nothing; a few µs');
    const policy = join(folder, 'policy.yaml');
    const rules = metadata;
    await writeFile(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
    await reportCostOfTwo(report, {
      title: 'processor time of a GET, with an audit log of metadata and without',
      on: [
        '--storage=memory',
        '--authorization-mode=AlwaysAllow',
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${log}`,
        '--audit-log-maxbackup=1',
      ],
      off: ['--storage=memory', '--authorization-mode=AlwaysAllow'],
      target: 'a few µs more',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the microseconds of processor time since the process started. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * Returns the microseconds of the filter, including the encoding and writing of both events, with 16 requests a turn.
 */
function inItself(rules: readonly PolicyRule[], log: string): number {
  const metrics = new AuditMetrics();
  const errors = new PluginErrors(metrics, silentLogger);
  const onCleanupError = (): void => {};
  const limits = { maxSize: 1000, maxAge: 0, maxBackups: 1, compress: false };
  const output = new RotatingFile({ path: log, clock: systemClock, onCleanupError, ...limits });
  let flush = (): void => {};
  const backend = new LogBackend({
    output,
    format: 'json',
    timing: 'beforeResponse',
    errors,
    beforeResponses: (work) => {
      flush = work;
    },
  });
  const policy = new PolicyRuleEvaluator({ rules });
  const filter = withAudit({ policy, backend, metrics, clock: systemClock });
  const info = parseRequestInfo('GET', path, new Map());
  const user = { name: 'jane', uid: '', groups: ['testers', 'system:authenticated'], extra: {} };
  const req = {
    url: path,
    headers: { 'user-agent': 'kubectl' },
    rawHeaders: [],
    socket: { remoteAddress: '127.0.0.1' },
  };
  const res = { statusCode: 200, headersSent: true };
  const next = (): undefined => undefined;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const count = 16_000;
    const started = processorTime();
    for (let at = 1; at <= count; at++) {
      const state = new RequestState(info, new Map(), '9795e161-85f9-4996-9879-9c83c3ef7b63', systemClock.now());
      state.user = user;
      filter({ req, res, state, method: 'GET' } as unknown as ApiContext, next);
      if (at % 16 === 0) flush();
    }
    best = Math.min(best, (processorTime() - started) / count);
  }
  return best;
}
