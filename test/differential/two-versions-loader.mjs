import { register } from 'node:module';

// Gives the tool of `make test-differential` definitions with two versions and a conversion webhook.
register('./two-versions-hooks.mjs', import.meta.url);
