import { register } from 'node:module';

// The loader of servers' threads: see setup.mjs.
register('./built-hooks.mjs', import.meta.url);
