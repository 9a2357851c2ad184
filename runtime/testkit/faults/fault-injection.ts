import type { ApiContext, ApiMiddleware, Next } from '../../http/context.ts';
import { type CompletionListener, requireUser } from '../../http/request-state.ts';
import { testGroupName } from '../../options/test-group-name.ts';
import type { MatchedRequest } from '../requests/request-match.ts';
import type { ServedNames } from '../requests/served-names.ts';
import type { FaultedServer } from './actions/action.ts';
import { newAction } from './actions/actions.ts';
import type { FaultPlanSpec } from './fault-plan.ts';
import type { FaultPlanHandle, Faults } from './faults.ts';
import { InstalledPlan } from './installed-plan.ts';
import { requireValid } from './validation.ts';

/** The server as fault injection needs it. */
export interface InjectedServer extends Omit<FaultedServer, 'running'> {
  /** The served resources and groups, for the validation of plans. */
  readonly served: ServedNames;
  /** Adds a filter after impersonation. */
  addFilter(filter: ApiMiddleware): void;
  /** Returns the running watches and other requests without a deadline. */
  longRunning(): Iterable<ApiContext>;
}

/** The plans of one server, and the filter that applies them to requests. */
export class FaultInjection implements Faults {
  readonly #server: FaultedServer;
  readonly #served: ServedNames;
  readonly #running = new Set<ApiContext>();
  /** Replaced on change, so that a request sees one consistent list. */
  #plans: readonly InstalledPlan[] = [];

  constructor(server: InjectedServer) {
    this.#served = server.served;
    this.#server = { ...server, running: () => [...this.#running] };
    for (const ctx of server.longRunning()) this.#follow(ctx);
    server.addFilter(this.#filter);
  }

  async add(spec: FaultPlanSpec): Promise<FaultPlanHandle> {
    requireValid(spec, this.#served);
    const action = newAction(spec.fault, this.#server);
    const plan = new InstalledPlan(structuredClone(spec), action, (removed) => {
      this.#plans = this.#plans.filter((one) => one !== removed);
    });
    this.#plans = [...this.#plans, plan];
    if (action.handleOpen !== undefined) this.#meetOpenWatches(plan);
    return plan;
  }

  /** Removes all plans. */
  close(): void {
    for (const plan of this.#plans) plan.remove();
  }

  #meetOpenWatches(plan: InstalledPlan): void {
    for (const ctx of [...this.#running]) {
      if (ctx.state.watch !== undefined && canHit(plan, ctx) && plan.hit(matchedRequest(ctx))) {
        markHit(ctx, [plan]);
        plan.action.handleOpen?.(ctx);
      }
    }
  }

  readonly #filter: ApiMiddleware = (ctx, next) => {
    this.#follow(ctx);
    const hits: InstalledPlan[] = [];
    let request: MatchedRequest | undefined;
    for (const plan of this.#plans) {
      if (plan.action.blocks?.(ctx)) {
        this.#server.destroyConnection(ctx);
        return undefined;
      }
      if (!canHit(plan, ctx)) continue;
      request ??= matchedRequest(ctx);
      if (plan.hit(request)) hits.push(plan);
    }
    if (hits.length > 0) markHit(ctx, hits);
    // actions on bytes come first: they stand between the other actions and the client
    if (hits.length > 1) hits.sort((a, b) => Number(b.action.isAboutBytes ?? 0) - Number(a.action.isAboutBytes ?? 0));
    return hits.reduceRight<Next>(
      (behind, { action }) =>
        () =>
          action.handle(ctx, behind),
      next,
    )();
  };

  #follow(ctx: ApiContext): void {
    this.#running.add(ctx);
    ctx.state.onCompletion(new Running(this.#running, ctx));
  }
}

class Running implements CompletionListener {
  before: CompletionListener | undefined;
  readonly #all: Set<ApiContext>;
  readonly #ctx: ApiContext;

  constructor(all: Set<ApiContext>, ctx: ApiContext) {
    this.#all = all;
    this.#ctx = ctx;
  }

  completed(): void {
    this.#all.delete(this.#ctx);
  }
}

/** Tells logs of the request which faults hit it. */
function markHit({ state }: ApiContext, hits: readonly InstalledPlan[]): void {
  state.faults = [...(state.faults ?? []), ...hits.map(({ kind }) => kind)];
}

/** Requests for the API group of plans are never hit, so that plans can be removed. */
const canHit = ({ action }: InstalledPlan, ctx: ApiContext): boolean =>
  ctx.state.requestInfo.group !== testGroupName && (action.isAbout?.(ctx) ?? true);

function matchedRequest({ req, state }: ApiContext): MatchedRequest {
  const { name, groups } = requireUser(state);
  return { info: state.requestInfo, user: name, groups, userAgent: req.headers['user-agent'] ?? '' };
}
