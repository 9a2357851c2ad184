import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { goTypes } from './go.ts';
import { readModel } from './model.ts';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');

/** Returns the generated files of the kits, by their path in kits/.  */
export function kitFiles(): Map<string, string> {
  const model = readModel();
  const { version } = JSON.parse(read('../../package.json'));
  return new Map([
    ['go/types.go', goTypes(model)],
    [
      'go/version.go',
      `package kubeloom\n\n// Version is the version of the server that this kit belongs to.\nconst Version = "${version}"\n`,
    ],
  ]);
}
