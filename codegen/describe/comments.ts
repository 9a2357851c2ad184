/** A documentation comment in a TypeScript declaration file. */
export interface Comment {
  /** The namespaces, interfaces and classes around the declaration. */
  readonly scope: readonly string[];
  /** The name of the declaration below the comment. */
  readonly name: string;
  readonly text: string;
}

/** Reads the documentation comments of a declaration file as generators write them, with one declaration a line. */
export function* commentsIn(declarations: string): Generator<Comment> {
  const scope: string[] = [];
  let open: string[] | undefined;
  let text: string | undefined;
  for (const line of declarations.split('\n')) {
    const code = line.trim();
    if (open !== undefined) {
      if (code !== '*/') open.push(line.replace(/^\s*\* ?/, ''));
      else {
        text = open.join('\n');
        open = undefined;
      }
    } else if (code === '/**') open = [];
    else if (code.startsWith('/**') && code.endsWith('*/')) text = code.slice('/**'.length, -'*/'.length).trim();
    else {
      const name = nameIn(code);
      if (text !== undefined && name !== '') yield { scope: [...scope], name, text };
      text = undefined;
      if (code.startsWith('}')) scope.pop();
      if (code.endsWith('{')) scope.push(name);
    }
  }
}

/** Returns the name that a line declares; "" if none. */
function nameIn(code: string): string {
  const [, type, member] =
    /^(?:export )?(?:declare )?(?:namespace|interface|class|type) (\w+)|^(?:readonly )?['"]?([\w$-]+)['"]?\??[(:]/.exec(code) ?? [];
  return type ?? member ?? '';
}
