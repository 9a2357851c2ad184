import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// biome-ignore lint/suspicious/noExplicitAny: events as JSON
type Event = any;

/** A folder with an audit policy and a log. */
export class AuditLog {
  readonly folder: string;
  readonly policyFile: string;
  readonly path: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.policyFile = join(folder, 'policy.yaml');
    this.path = join(folder, 'logs', 'audit.log');
  }

  /** @param rules the policy's rules */
  static async withRules(rules: readonly object[], policy: object = {}): Promise<AuditLog> {
    const log = new AuditLog(await mkdtemp(join(tmpdir(), 'kubeloom-audit-')));
    await writeFile(log.policyFile, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...policy }));
    return log;
  }

  /** Returns the events so far, in order. @param auditId filters by one request */
  async events(auditId?: string): Promise<Event[]> {
    const lines = (await readFile(this.path, 'utf8')).split('\n').slice(0, -1);
    const events = lines.map((line) => JSON.parse(line));
    return auditId === undefined ? events : events.filter((event) => event.auditID === auditId);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
