import { elementAt } from '../../machinery/collections/element-at.ts';
import { optional, part } from '../assembly/part.ts';
import { loadEncryption } from '../storage/encryption.ts';
import { openStorage } from '../storage/storage.ts';
import type { OpenedStorage } from '../storage/storage-parts.ts';
import type { ForkMoment } from './fork-moment.ts';
import { config } from './inputs.ts';
import { activityLog } from './page.ts';
import { recorder, replay } from './test-kit.ts';

/** The encryption of stored objects. Undefined if there is none. */
export const encryption = part('encryption', {
  needs: { config },
  open: ({ config: { options, clock, logger } }) => loadEncryption(options, clock, logger),
  close: (opened) => opened?.close(),
});

/** The engine with the stored objects. A fork gets a copy of a snapshot. */
export const storage = part('storage', {
  needs: { config, encryption, recorder: optional(recorder), replay: optional(replay), activityLog: optional(activityLog) },
  open({ config: given, encryption, recorder, replay, activityLog }): Promise<OpenedStorage> {
    const { options, clock, logger, minor, catalogs, features, builtin, groups } = given;
    const common = { clock, logger, minor, catalogs, features, builtin, builtinCatalog: elementAt(groups, 0).catalog };
    return openStorage(options, { ...common, encryption, recorder, replay, activityLog });
  },
  close: ({ store }) => store.close(),
  fork: {
    take: (_storage, { store }: ForkMoment): OpenedStorage => ({ store }),
    open: (taken): OpenedStorage => taken,
  },
});

/** All objects: the stored objects, and beside them the objects of the test controls. */
export const objectStore = part('objectStore', {
  needs: { config, storage },
  open: ({ config: { testGroup }, storage: { store } }) => testGroup?.withTestObjects(store) ?? store,
  close: (opened) => opened.close(),
});
