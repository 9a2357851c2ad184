import type { ApiContext } from '../http/context.ts';
import { respondText } from '../http/respond.ts';
import type { Logger } from '../observe/logger.ts';

export interface HealthCheck {
  readonly name: string;
  /** Throws or rejects if the check fails. */
  check(): void | Promise<void>;
}

/**
 * A health endpoint. Its path runs all checks, path/name runs one; `?verbose` lists them, `?exclude=name` skips one. The
 * response names the checks that fail, and the log has the reasons. (pkg/server/healthz)
 */
export class HealthEndpoint {
  readonly #name: string;
  readonly #checks: readonly HealthCheck[];
  readonly #logger: Logger;

  /** @param path `/livez`, `/readyz` or `/healthz` */
  constructor(path: string, checks: readonly HealthCheck[], logger: Logger) {
    this.#name = path.slice(1);
    this.#checks = checks;
    this.#logger = logger;
  }

  async respondAll(ctx: ApiContext): Promise<void> {
    const excluded = new Set(ctx.state.query.get('exclude') ?? []);
    let hasFailed = false;
    let report = '';
    for (const check of this.#checks) {
      if (excluded.delete(check.name)) {
        report += `[+]${check.name} excluded: ok\n`;
      } else if (await this.#passes(check)) {
        report += `[+]${check.name} ok\n`;
      } else {
        report += `[-]${check.name} failed: reason withheld\n`;
        hasFailed = true;
      }
    }
    if (excluded.size > 0) {
      const names = [...excluded].sort().map((name) => JSON.stringify(name));
      report += `warn: some health checks cannot be excluded: no matches for ${names.join(',')}\n`;
    }
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    if (hasFailed) respondText(ctx, 500, `${report}${this.#name} check failed\n`);
    else respondText(ctx, 200, ctx.state.query.has('verbose') ? `${report}${this.#name} check passed\n` : 'ok');
  }

  /** Resolves with false if there is no such check. */
  async respondOne(ctx: ApiContext, name: string): Promise<boolean> {
    const found = this.#checks.find((check) => check.name === name);
    if (!found) return false;
    try {
      await found.check();
      respondText(ctx, 200, 'ok');
    } catch (error) {
      respondText(ctx, 500, `internal server error: ${(error as Error).message}\n`);
    }
    return true;
  }

  async #passes(check: HealthCheck): Promise<boolean> {
    try {
      await check.check();
      return true;
    } catch (error) {
      this.#logger.warn({ err: error, check: check.name }, `${this.#name} check failed`);
      return false;
    }
  }
}
