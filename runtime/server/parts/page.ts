import { part } from '../assembly/part.ts';
import { config } from './inputs.ts';

/** What happened lately, for the page. It opens before the store, which it follows. */
export const activityLog = part('activityLog', {
  needs: { config },
  async open({ config: { clock } }) {
    const { ActivityLog } = await import('../../page/activity-log.ts');
    return new ActivityLog(clock);
  },
});

/** The page, and the sessions of its browsers. */
export const page = part('page', {
  needs: { config, activityLog },
  async open({ config: { logger }, activityLog }) {
    const { Page } = await import('../../page/page.ts');
    return new Page(logger, activityLog);
  },
});
