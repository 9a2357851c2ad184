import { createRequire } from 'node:module';

/** The npm packages that only `generate` and `import` need: optional peer dependencies in package.json. */
export const generatorPackages = ['@bufbuild/buf', 'openapi-typescript', 'ts-morph', 'typescript@5'] as const;

/** @throws Error with the command that installs missing packages */
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
    // an installed package may not export this file
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}
