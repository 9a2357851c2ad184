/**
 * Returns a script that fails if a value exists twice: the package and one of its modules, or `import` and `require`,
 * must give the same value for a name. Error texts depend on it: they recognize a missing value by its identity.
 *
 * @param form `module` or `commonjs`
 */
export function sharedModules(form: string, name: string, subpaths: readonly string[]): string {
  const modules = subpaths.filter((path) => path.startsWith(`${name}/runtime/`));
  const start =
    form === 'module'
      ? "import assert from 'node:assert/strict'; import { createRequire } from 'node:module'; const other = createRequire(process.cwd() + '/x.js'); const load = (path) => import(path);"
      : "const assert = require('node:assert/strict'); const other = (path) => import(path); const load = require;";
  return `${start}
async function main() {
  const library = await load('${name}');
  const { fieldErrors, ...values } = library;
  const served = { ...values, ...fieldErrors };
  let count = 0;
  for (const path of ${JSON.stringify(modules)}) {
    const [ours, theirs] = [await load(path), await other(path)];
    for (const [name, value] of Object.entries(ours)) {
      assert.equal(theirs[name], value, path + ': ' + name);
      if (path.includes('/validation/field-') && name in served) assert.equal(served[name], value, path + ': ' + name);
      count++;
    }
  }
  const { omittedValue } = await load('${name}/runtime/machinery/validation/field-error.js');
  assert.equal(fieldErrors.omittedValue, omittedValue);
  console.log(count + ' names are the same');
}
main();
`;
}
