import { register } from 'node:module';

// What threads of servers load: see setup.mjs.
register('./built-hooks.mjs', import.meta.url);
