import { createHash } from 'node:crypto';
import { packagesOf, separator } from '../../codegen/build/licences.mjs';

/** A part of an executable, as CycloneDX lists it. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence?: string;
  /** Its package URL. */
  readonly purl: string;
}

/** Returns the packages of bundled files. */
export function bundledComponents(inputs: readonly string[]): Component[] {
  return packagesOf(inputs).map(({ name, version, licence }) => ({ name, version, licence, purl: npmUrl(name, version) }));
}

/** Returns the packages of a file of licences. Each begins with `name version (licence)`. */
export function listedComponents(licences: string): Component[] {
  return licences.split(`\n${separator}\n\n`).map((text) => {
    const [, name, version, licence] = /^(\S+) (\S+) \((.*)\)$/m.exec(text) ?? [];
    if (name === undefined || version === undefined || licence === undefined) throw new Error(`no package has these licences: ${text}`);
    return { name, version, licence, purl: npmUrl(name, version) };
  });
}

/** Returns Node and its parts as `process.versions` tells them. */
export function nodeComponents(versions: Readonly<Record<string, string>>): Component[] {
  // numbers of interfaces, and versions of data, are no parts
  const { node = '', modules: _modules, napi: _napi, unicode: _unicode, cldr: _cldr, tz: _tz, ...parts } = versions;
  const generic = (name: string, version: string): Component => ({
    name,
    version,
    purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
  });
  return [
    { ...generic('node', node), licence: 'MIT' },
    ...Object.entries(parts)
      .sort()
      .map(([name, version]) => generic(name, version)),
  ];
}

const npmUrl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/**
 * Returns a CycloneDX 1.6 document. It has no time and no random serial number, so the same input has the same bytes.
 *
 * @param executable the bytes that it describes
 */
export function billOfMaterials(self: Component, components: readonly Component[], executable: Buffer): string {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        ...entryOf(self),
        hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(executable).digest('hex') }],
      },
    },
    components: components.map((component) => ({ type: component.name === 'node' ? 'platform' : 'library', ...entryOf(component) })),
    dependencies: [{ ref: self.purl, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const entryOf = ({ name, version, licence, purl }: Component): object => ({
  'bom-ref': purl,
  name,
  version,
  ...(licence === undefined ? {} : { licenses: [{ expression: licence.replace(/^\((.*)\)$/, '$1') }] }),
  purl,
});
