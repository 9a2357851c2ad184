import { group } from './api-group.ts';
import { go } from './go-test.ts';
import { java } from './java-test.ts';
import { jest, vitest } from './javascript-tests.ts';
import { python } from './python-test.ts';
import type { Template } from './template.ts';

/** All templates, in the order of the question. */
export const templates: readonly Template[] = [vitest, jest, go, python, java, group];
