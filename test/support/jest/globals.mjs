// What tests import from '@jest/globals': those of the file that runs now. The bindings are live, because what files share
// stays loaded while their tests run one file after the other.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
