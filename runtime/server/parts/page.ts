import { part } from '../assembly/part.ts';
import { config } from './inputs.ts';

/** The page, and the sessions of its browsers. */
export const page = part('page', {
  needs: { config },
  async open({ config: { logger } }) {
    const { Page } = await import('../../page/page.ts');
    return new Page(logger);
  },
});
