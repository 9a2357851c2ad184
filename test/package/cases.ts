import { generatorPackages } from '../../runtime/cli/generator-packages.ts';
import { sharedModules } from './shared-modules.ts';
import { blockOf, commonJsOf, moduleOf, nameOf, operatorTest, snippetFiles, snippets } from './snippets.ts';
import * as sources from './sources.ts';

/** Optional packages are installed or omitted. */
export type Installation = 'plain' | 'omitted';

/** A user's project with the package, and its expected results. */
export interface Case {
  readonly name: string;
  /** Further packages to install. */
  readonly packages?: readonly string[];
  readonly manifest?: object;
  /** @param subpaths everything that the package exports */
  files(subpaths: readonly string[]): Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
  /** The optional packages of others that the case requires. */
  readonly needsOptional?: string;
  /** The name of node_modules in the table of sizes. */
  readonly weighs?: string;
}

interface Command {
  readonly line: readonly string[];
  /** A pattern of the output, in addition to exit code 0; or one pattern each with and without optional packages. */
  readonly says?: RegExp | Readonly<Record<Installation, RegExp>>;
  /** The command must fail. */
  readonly fails?: boolean;
}

const typescript = ['typescript@5', '@types/node@20'];
const jest29 = ['jest@29'];
const tsJest = { compilerOptions: { module: 'commonjs', target: 'es2022', strict: true, esModuleInterop: true } };

/** The module resolutions of compilers. `module` defaults to the resolution's own. */
const resolutions: readonly (readonly [name: string, options: object])[] = [
  ['node16', { module: 'node16' }],
  ['nodenext', { module: 'nodenext' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ['node10', { module: 'commonjs', moduleResolution: 'node10' }],
];

const configs = Object.fromEntries(
  resolutions.map(([name, options]) => [
    `tsconfig.${name}.json`,
    JSON.stringify({
      compilerOptions: { ...options, target: 'es2022', strict: true, noEmit: true, types: ['node'] },
      // both module formats where the compiler distinguishes them
      include: name.startsWith('node1') || name === 'nodenext' ? formsOf(name) : ['*.mts'],
    }),
  ]),
);

/** node10 has no ES modules. */
function formsOf(name: string): readonly string[] {
  return name === 'node10' ? ['types.cts', 'some.cts'] : ['types.mts', 'types.cts', 'all.mts', 'some.cts'];
}

/** In older modes, CommonJS cannot import the ESM packages of generated code. */
const forCommonJs = (subpaths: readonly string[]): readonly string[] =>
  withoutVitest(subpaths).filter((path) => !path.includes('/runtime/'));

/** Vitest is ESM, and must be installed. */
function withoutVitest(subpaths: readonly string[]): readonly string[] {
  return subpaths.filter((path) => path !== 'kubeloom/vitest');
}

/** The snippets as modules, by the file's name without extension. */
const modules = await Promise.all(snippets.map(async (each) => [nameOf(each), await moduleOf(each)] as const));

/** Returns a file of each snippet. */
const snippetsAs = (extension: string, write = (module: string): string => module): Record<string, string> => ({
  ...snippetFiles,
  ...Object.fromEntries(modules.map(([name, module]) => [`${name}.${extension}`, write(module)])),
});

/** Returns the commands that run each snippet in a separate folder. */
const runSnippets = (extension: string): readonly Command[] => modules.map(([name]) => ({ line: ['node', `${name}.${extension}`] }));

/** The first block of docs/testing.md as a test, and a file with its operator. */
const testingBlock = await blockOf(operatorTest);
const esmOperator = `import { createClient } from 'kubeloom/generated/v1.35/client';
import { parseKubeconfig } from 'kubeloom/runtime/client/kubeconfig.js';${operatorTest.setup}`;
const cjsOperator = `const { createClient } = require('kubeloom/generated/v1.35/client');
const { parseKubeconfig } = require('kubeloom/runtime/client/kubeconfig.js');${operatorTest.setup}`;

/** The block says "or kubeloom/jest": only names of modules differ. */
const forJest = (globals: string): object => ({
  moduleNameMapper: { '^vitest$': `<rootDir>/${globals}`, '^kubeloom/vitest$': 'kubeloom/jest' },
});

export const cases: readonly Case[] = [
  {
    name: 'snippets as ES modules',
    files: () => snippetsAs('mjs'),
    commands: runSnippets('mjs'),
  },
  {
    name: 'snippets as CommonJS',
    files: () => snippetsAs('cjs', commonJsOf),
    commands: runSnippets('cjs'),
  },
  {
    name: 'types of the snippets',
    packages: [...typescript, 'vitest'],
    files: () => ({
      ...snippetsAs('mts'),
      'testing.test.mts': operatorTest.types + testingBlock,
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'] },
        include: ['*.mts'],
      }),
    }),
    commands: [{ line: ['npx', 'tsc', '-p', '.'] }],
    needsOptional: 'rolldown or rollup',
  },
  {
    name: 'docs/testing.md with Vitest',
    packages: ['vitest'],
    files: () => ({
      'testing.test.ts': testingBlock,
      'operator.mjs': esmOperator,
      'vitest.config.mjs': "export default { test: { setupFiles: ['./operator.mjs'], testTimeout: 60_000 } };",
    }),
    commands: [{ line: ['npx', 'vitest', 'run'], says: /1 passed/ }],
    needsOptional: 'rolldown or rollup',
  },
  {
    name: 'docs/testing.md with Jest and CommonJS',
    packages: [...jest29, 'ts-jest@29', '@types/jest@29', ...typescript],
    manifest: {
      jest: { preset: 'ts-jest', ...forJest('globals.cjs'), setupFiles: ['./operator.cjs'], testTimeout: 60_000 },
    },
    files: () => ({
      'testing.test.ts': operatorTest.types + testingBlock,
      'operator.cjs': cjsOperator,
      'globals.cjs': "module.exports = require('@jest/globals');",
      // the block's modules have other names here, so only its syntax is compiled
      'tsconfig.json': JSON.stringify({ compilerOptions: { ...tsJest.compilerOptions, isolatedModules: true } }),
    }),
    commands: [{ line: ['npx', 'jest'], says: /1 passed/ }],
  },
  {
    name: 'docs/testing.md with Jest and ES modules',
    packages: [...jest29, 'ts-jest@29', '@types/jest@29', ...typescript],
    manifest: {
      type: 'module',
      jest: {
        extensionsToTreatAsEsm: ['.ts'],
        transform: { '\\.ts$': ['ts-jest', { useESM: true }] },
        ...forJest('globals.mjs'),
        setupFiles: ['./operator.mjs'],
        testTimeout: 60_000,
      },
    },
    files: () => ({
      'testing.test.ts': testingBlock,
      'operator.mjs': esmOperator,
      'globals.mjs': "export { expect, test } from '@jest/globals';",
      'tsconfig.json': JSON.stringify({
        compilerOptions: { module: 'esnext', moduleResolution: 'bundler', target: 'es2022', isolatedModules: true },
      }),
    }),
    commands: [{ line: ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'], says: /1 passed/ }],
  },
  {
    name: 'ESM',
    weighs: 'installed',
    files: (subpaths) => ({
      'index.mjs': sources.esmScript,
      'all.mjs': sources.esmImportAll(withoutVitest(subpaths)),
    }),
    commands: [{ line: ['node', 'all.mjs'] }, { line: ['node', 'index.mjs'] }],
  },
  {
    name: 'CommonJS',
    files: (subpaths) => ({ 'index.cjs': sources.cjsScript, 'all.cjs': sources.cjsImportAll(withoutVitest(subpaths)) }),
    commands: [{ line: ['node', 'all.cjs'] }, { line: ['node', 'index.cjs'] }],
  },
  {
    name: 'one instance of each module',
    files: (subpaths) => ({
      'shared.mjs': sharedModules('module', 'kubeloom', subpaths),
      'shared.cjs': sharedModules('commonjs', 'kubeloom', subpaths),
    }),
    commands: ['shared.mjs', 'shared.cjs'].map((file) => ({ line: ['node', file], says: /names are the same/ })),
  },
  {
    name: 'kubeloom init vitest',
    packages: ['vitest'],
    files: () => ({}),
    commands: [{ line: ['npx', 'kubeloom', 'init', 'vitest'] }, { line: ['npx', 'vitest', 'run'], says: /2 passed/ }],
    needsOptional: 'rolldown or rollup',
  },
  {
    name: 'kubeloom init jest',
    packages: jest29,
    files: () => ({}),
    commands: [{ line: ['npx', 'kubeloom', 'init', 'jest'] }, { line: ['npx', 'jest'], says: /2 passed/ }],
  },
  {
    name: 'Jest 29',
    packages: jest29,
    files: () => ({ 'server.test.js': sources.cjsTest }),
    commands: [{ line: ['npx', 'jest'], says: /1 passed/ }],
  },
  {
    name: 'Jest 30',
    packages: ['jest@30'],
    files: () => ({ 'server.test.js': sources.cjsTest }),
    commands: [{ line: ['npx', 'jest'], says: /1 passed/ }],
    needsOptional: 'unrs-resolver',
  },
  {
    name: 'ts-jest',
    packages: [...jest29, 'ts-jest@29', '@types/jest@29', ...typescript],
    manifest: { jest: { preset: 'ts-jest' } },
    files: () => ({ 'server.test.ts': sources.tsTest, 'tsconfig.json': JSON.stringify(tsJest) }),
    commands: [{ line: ['npx', 'jest'], says: /1 passed/ }],
  },
  {
    name: 'Vitest',
    packages: ['vitest'],
    files: () => ({ 'server.test.ts': sources.vitestTest }),
    commands: [{ line: ['npx', 'vitest', 'run'], says: /1 passed/ }],
    needsOptional: 'rolldown or rollup',
  },
  {
    name: 'the example of an operator',
    packages: ['tsx@4', '@kubernetes/client-node@1'],
    manifest: { type: 'module' },
    files: () => sources.example('operator'),
    commands: [
      {
        line: ['npx', 'tsx', '--test', ...['operator', 'mistakes', 'faults', 'seed'].map((name) => `test/${name}.test.ts`)],
        says: /^# fail 0$|^ℹ fail 0$/m,
      },
    ],
    needsOptional: 'esbuild',
  },
  {
    name: 'useServer of Jest 29',
    packages: jest29,
    files: () => ({ 'a.test.js': sources.jestFramework, 'b.test.js': sources.jestFramework }),
    commands: [{ line: ['npx', 'jest', '--runInBand'], says: /4 passed/ }],
  },
  {
    name: 'useServer of Jest 30 with ES modules',
    packages: ['jest@30'],
    files: () => ({ 'a.test.mjs': sources.jestEsmFramework, 'b.test.mjs': sources.jestEsmFramework }),
    manifest: { jest: { testMatch: ['**/*.test.mjs'] } },
    commands: [
      {
        line: ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--maxWorkers=1', '--runInBand=false'],
        says: /4 passed/,
      },
    ],
    needsOptional: 'unrs-resolver',
  },
  {
    name: 'useServer of Vitest',
    packages: ['vitest'],
    files: () => ({ 'a.test.ts': sources.vitestFramework, 'b.test.ts': sources.vitestFramework }),
    commands: [
      { line: ['npx', 'vitest', 'run', '--no-isolate', '--maxWorkers=1'], says: /4 passed/ },
      { line: ['npx', 'vitest', 'run', '--pool=threads'], says: /4 passed/ },
    ],
    needsOptional: 'rolldown or rollup',
  },
  {
    name: 'types',
    packages: typescript,
    files: (subpaths) => ({
      ...configs,
      'types.mts': sources.typed,
      'types.cts': sources.typed,
      'all.mts': sources.typedImportAll(subpaths),
      'some.cts': sources.typedImportAll(forCommonJs(subpaths)),
    }),
    commands: resolutions.map(([name]) => ({ line: ['npx', 'tsc', '-p', `tsconfig.${name}.json`] })),
  },
  {
    name: 'the database',
    files: () => ({ 'disk.mjs': sources.lmdbScript }),
    commands: [
      {
        line: ['node', 'disk.mjs'],
        says: { plain: /^served from disk$/m, omitted: /^[^\n]*npm install lmdb[^\n]*\n$/ },
      },
    ],
  },
  {
    name: 'the generator, not installed',
    files: () => ({ 'robots.yaml': sources.schema }),
    commands: [
      {
        line: ['npx', 'kubeloom', 'import', '--from', 'robots.yaml', '--out', 'schemas'],
        says: new RegExp(`^kubeloom: [^\\n]*npm install --save-dev ${generatorPackages.join(' ')}\\n$`, 'm'),
        fails: true,
      },
    ],
  },
  {
    name: 'the generator',
    weighs: 'installed with the generator',
    packages: generatorPackages,
    files: () => ({ 'robots.yaml': sources.schema }),
    commands: [
      { line: ['npx', 'kubeloom', 'import', '--from', 'robots.yaml', '--out', 'schemas'] },
      { line: ['npx', 'kubeloom', 'generate', '--schemas', 'schemas', '--out', 'generated'] },
    ],
    needsOptional: '@bufbuild/buf',
  },
];
