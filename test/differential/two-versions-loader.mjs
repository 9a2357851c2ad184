import { register } from 'node:module';

// Adds a second version and a conversion webhook to the definitions of `make test-differential`.
register('./two-versions-hooks.mjs', import.meta.url);
