import { Listers } from '../../resources/lister.ts';
import { part } from '../assembly/part.ts';
import { openDelegateObjects } from '../delegated/config.ts';
import { config } from './inputs.ts';
import { stores } from './resources.ts';

/** The objects of the server behind which this one stands. Undefined if this server stands alone. */
export const delegate = part('delegate', {
  needs: { config },
  open: ({ config: { options, clock, logger } }) => openDelegateObjects({ options, clock, logger }),
  close: (opened) => opened?.close(),
});

/** Cached lists of the objects that plugins read. */
export const listers = part('listers', {
  needs: { stores, delegate },
  open: ({ stores, delegate }) => new Listers(stores, true, delegate),
});
