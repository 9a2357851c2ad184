import { posix, relative, sep } from 'node:path';

/** What every emitter needs to know of the file it writes. */
export interface EmitContext {
  /** The comment at the top of the file, with the empty line below it. */
  readonly header: string;
  /** Import path from the file's folder to the runtime's: `../../../../runtime`. */
  readonly runtime: string;
}

/** @param folder absolute folder of the file; @param runtime absolute folder of the runtime */
export function contextOf(folder: string, runtime: string, release: string): EmitContext {
  const path = relative(folder, runtime).split(sep).join(posix.sep);
  return {
    header: `// Generated from the schemas of ${release} by \`kubeloom generate\`: change those or an overlay, and run it again.\n\n`,
    runtime: path.startsWith('.') ? path : `./${path}`,
  };
}
