/** The program that starts first in an executable, and in each of its threads: it makes the files inside visible, and runs one. */
import { createRequire } from 'node:module';
import { getAsset, getRawAsset } from 'node:sea';
import { Contents } from './contents.ts';
import { mountContents } from './file-system.ts';
import { registerModules } from './modules.ts';
import { urlOf } from './place.ts';
import { registerThreads } from './threads.ts';

/** The URL of a thread's module. */
declare const threadEntry: string | undefined;

const contents = new Contents(JSON.parse(getAsset('index', 'utf8')), getRawAsset('contents') as ArrayBuffer);
mountContents(contents);
registerModules(contents);
registerThreads(getAsset('boot', 'utf8'));
// a main script can import only Node's own modules: a module inside imports for it
const importModule = createRequire(urlOf('boot.cjs'))('./import.cjs') as (url: string) => Promise<unknown>;
importModule(typeof threadEntry === 'undefined' ? urlOf('dist/runtime/cli/main.js') : threadEntry);
