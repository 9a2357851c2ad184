// The module behind '@jest/globals': the functions of the running file. The bindings are live, because modules stay
// loaded across files.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
