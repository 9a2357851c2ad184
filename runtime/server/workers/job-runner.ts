import { RequestAudit } from '../../audit/request-audit.ts';
import type { ApiContext } from '../../http/context.ts';
import { pathNotFound } from '../../machinery/errors/status.ts';
import { contextOf } from './job-context.ts';
import type { JobParts } from './job-parts.ts';
import { type Job, type Outcome, serializeError } from './protocol.ts';

/** Runs jobs one at a time, each at its own time and with its own root of the store. */
export class JobRunner {
  readonly #parts: JobParts;

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  async run(job: Job): Promise<Outcome> {
    const { clock, store, observed } = this.#parts;
    clock.time = job.now;
    store.root = job.root;
    const audit = job.audit && new RequestAudit({ ...job.audit, omitStages: new Set() });
    const ctx = contextOf(job, audit);
    const result = await this.#respond(job, ctx);
    const { warnings, written } = ctx.state;
    return {
      kind: 'outcome',
      result,
      effects: store.effects.take(),
      written: written && { name: written.name, revision: written.revision },
      warnings,
      observations: observed.take(),
      audit: audit?.record(),
    };
  }

  async #respond({ definition }: Job, ctx: ApiContext): Promise<Outcome['result']> {
    const { handle, customResources } = this.#parts;
    try {
      if (definition !== undefined) await customResources.refresh(definition);
      await handle(ctx, () => {
        throw pathNotFound();
      });
      const { heldResponse: response } = ctx.state;
      if (response === undefined) throw new Error('the endpoint sent no response');
      return { response };
    } catch (error) {
      return { error: serializeError(error) };
    }
  }
}
