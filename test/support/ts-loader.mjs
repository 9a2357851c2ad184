import { register } from 'node:module';

// Lets `node --import ./test/support/ts-loader.mjs file.ts` run TypeScript sources. Worker threads find their loader in
// the environment.
register('./ts-hooks.mjs', import.meta.url);
process.env.KUBELOOM_TS_LOADER = import.meta.url;
