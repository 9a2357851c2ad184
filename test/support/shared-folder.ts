import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of golden files, schemas and corpus: beside the project, or at $SHARED (empty: nowhere). */
export const sharedFolder = process.env.SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url));

/** The reason without that folder; undefined if it exists. */
export const missingShared = existsSync(sharedFolder) ? undefined : 'no ../shared beside the project';
