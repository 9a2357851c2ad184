import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Golden files, schemas and corpus that may lie beside the project, or at $SHARED (nowhere, if it is empty). */
export const sharedFolder = process.env.SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));

/** Why there is no such folder; undefined if there is one. */
export const missingShared = existsSync(sharedFolder) ? undefined : 'no ../shared beside the project';
