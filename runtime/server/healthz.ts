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
 *
 * @param path `/livez`, `/readyz` or `/healthz`
 */
export function healthEndpoint(path: string, checks: readonly HealthCheck[], logger: Logger) {
  const title = path.slice(1);
  return {
    async all(ctx: ApiContext): Promise<void> {
      const excluded = new Set(ctx.state.query.get('exclude') ?? []);
      const failed: string[] = [];
      let report = '';
      for (const { name, check } of checks) {
        if (excluded.delete(name)) {
          report += `[+]${name} excluded: ok\n`;
          continue;
        }
        try {
          await check();
          report += `[+]${name} ok\n`;
        } catch (error) {
          logger.warn({ err: error, check: name }, `${title} check failed`);
          report += `[-]${name} failed: reason withheld\n`;
          failed.push(name);
        }
      }
      if (excluded.size > 0) {
        const names = [...excluded].sort().map((name) => JSON.stringify(name));
        report += `warn: some health checks cannot be excluded: no matches for ${names.join(',')}\n`;
      }
      ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
      if (failed.length > 0) respondText(ctx, 500, `${report}${title} check failed\n`);
      else respondText(ctx, 200, ctx.state.query.has('verbose') ? `${report}${title} check passed\n` : 'ok');
    },

    /** Resolves with false if there is no such check. */
    async one(ctx: ApiContext, name: string): Promise<boolean> {
      const found = checks.find((check) => check.name === name);
      if (!found) return false;
      try {
        await found.check();
        respondText(ctx, 200, 'ok');
      } catch (error) {
        respondText(ctx, 500, `internal server error: ${(error as Error).message}\n`);
      }
      return true;
    },
  };
}
