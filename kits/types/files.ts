import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { goTypes } from './go.ts';
import { javaTypes } from './java.ts';
import { banner, readModel } from './model.ts';
import { pythonTypes } from './python.ts';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');

/** Returns the generated files of the kits, by their path in kits/. Manifests get the server's version. */
export function kitFiles(): Map<string, string> {
  const model = readModel();
  const { version } = JSON.parse(read('../../package.json'));
  return new Map([
    ['go/types.go', goTypes(model)],
    [
      'go/version.go',
      `// ${banner}\n\npackage kubeloom\n\n// Version is the version of the server that this kit belongs to.\nconst Version = "${version}"\n`,
    ],
    ['python/src/pytest_kubeloom/controls.py', pythonTypes(model)],
    ['python/pyproject.toml', read('../python/pyproject.toml').replace(/^version = ".*"$/m, `version = "${version}"`)],
    ['java/src/main/java/dev/kubeloom/junit/Controls.java', javaTypes(model)],
    ['java/pom.xml', read('../java/pom.xml').replace(/(<artifactId>kubeloom-junit<\/artifactId>\s*<version>)[^<]*/, `$1${version}`)],
  ]);
}
