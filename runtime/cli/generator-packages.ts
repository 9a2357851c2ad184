import { createRequire } from 'node:module';

/** What only `generate` and `import` need, as npm is told to install it: optional peer dependencies in package.json. */
export const generatorPackages = ['@bufbuild/buf', 'openapi-typescript', 'ts-morph', 'typescript@5'] as const;

/** @throws Error with the command that installs them, if some are missing */
export function checkGeneratorPackages(isInstalled: (name: string) => boolean = canBeRequired): void {
  const missing = generatorPackages.filter((name) => !isInstalled(name.replace(/(?<=.)@.*$/, '')));
  if (missing.length === 0) return;
  throw new Error(`the generator needs packages that are not installed: npm install --save-dev ${missing.join(' ')}`);
}

function canBeRequired(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // it may be there without exporting this file
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}
