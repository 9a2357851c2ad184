import type { ApiContext } from '../../http/context.ts';
import { respondText } from '../../http/respond.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { HealthCheck } from '../../machinery/health-check.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { HealthMetrics } from './health-metrics.ts';

export interface HealthEndpointOptions {
  /** `/livez`, `/readyz` or `/healthz` */
  readonly path: string;
  readonly checks: readonly HealthCheck[];
  readonly logger: Logger;
  readonly metrics: HealthMetrics;
}

/**
 * A health endpoint. Its path runs all checks, path/name runs one; `?verbose` lists them, `?exclude=name` skips one.
 * The response names the failed checks, and the log has the reasons. (pkg/server/healthz)
 */
export class HealthEndpoint {
  readonly #name: string;
  readonly #options: HealthEndpointOptions;

  constructor(options: HealthEndpointOptions) {
    this.#name = options.path.slice(1);
    this.#options = options;
  }

  async respondAll(ctx: ApiContext): Promise<void> {
    const excluded = new Set(ctx.state.query.get('exclude') ?? []);
    const unknown = new Set(excluded);
    let hasFailed = false;
    let report = '';
    for (const check of this.#options.checks) {
      const { name, group } = check;
      if (excluded.has(name)) {
        unknown.delete(name);
        report += `[+]${name} excluded: ok\n`;
      } else if (group !== undefined && excluded.has(group)) {
        unknown.delete(group);
        report += `[+]${name} excluded with ${group}: ok\n`;
      } else if (await this.#passes(check)) {
        report += `[+]${name} ok\n`;
      } else {
        report += `[-]${name} failed: reason withheld\n`;
        hasFailed = true;
      }
    }
    if (unknown.size > 0) {
      const names = [...unknown].sort().map((name) => JSON.stringify(name));
      report += `warn: some health checks cannot be excluded: no matches for ${names.join(',')}\n`;
    }
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    if (hasFailed) respondText(ctx, 500, `${report}${this.#name} check failed\n`);
    else respondText(ctx, 200, ctx.state.query.has('verbose') ? `${report}${this.#name} check passed\n` : 'ok');
  }

  async respondOne(ctx: ApiContext, { check }: HealthCheck): Promise<void> {
    try {
      await check();
      respondText(ctx, 200, 'ok');
    } catch (error) {
      ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
      respondText(ctx, 500, `internal server error: ${messageOf(error)}\n`);
    }
  }

  async #passes(check: HealthCheck): Promise<boolean> {
    const { logger, metrics } = this.#options;
    let healthy = true;
    try {
      await check.check();
    } catch (error) {
      healthy = false;
      logger.warn({ err: error, check: check.name }, `${this.#name} check failed`);
    }
    metrics.record(check.name, this.#name, healthy);
    return healthy;
  }
}
