import { isHelpFlag, UsageError } from '../machinery/options/flags.ts';

/**
 * The scripts ask `kubeloom ... --help=all` for what can follow, so they need no list of their own: lines of two spaces
 * and a word name commands and actions, lines of six spaces and two hyphens name flags.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `_kubeloom() {
  local word words help
  word=\${COMP_WORDS[COMP_CWORD]}
  words=()
  for help in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $help == -* ]] || words+=("$help"); done
  help=$(kubeloom "\${words[@]:0:2}" --help=all 2>/dev/null)
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(sed -n 's/^      \\(--[a-z-]*\\).*/\\1/p' <<<"$help")" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$(sed -n 's/^  \\([a-z-]*\\)\\( [A-Z|]*\\)*  .*/\\1/p' <<<"$help")" -- "$word") $(compgen -f -- "$word"))
  fi
}
complete -F _kubeloom kubeloom
`,
  zsh: `#compdef kubeloom
_kubeloom() {
  local help
  local -a path
  path=(\${\${words[2,CURRENT-1]}:#-*})
  help=$(kubeloom $path[1,2] --help=all 2>/dev/null)
  if [[ $words[CURRENT] == -* ]]; then
    compadd -- $(sed -n 's/^      \\(--[a-z-]*\\).*/\\1/p' <<<"$help")
  else
    compadd -- $(sed -n 's/^  \\([a-z-]*\\)\\( [A-Z|]*\\)*  .*/\\1/p' <<<"$help")
    _files
  fi
}
compdef _kubeloom kubeloom
`,
  fish: `function __kubeloom_help
  set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
  kubeloom $words[1..2] --help=all 2>/dev/null
end
complete -c kubeloom -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__kubeloom_help | string replace -rf "^      (--[a-z-]*).*" "\\$1")'
complete -c kubeloom -n 'not string match -q -- "-*" (commandline -ct)' -a '(__kubeloom_help | string replace -rf "^  ([a-z-]+)( [A-Z|]+)*  .*" "\\$1")'
`,
};

const completionHelp = `Print a completion script.

Usage:
  kubeloom completion bash|zsh|fish

For example, in ~/.bashrc:
  source <(kubeloom completion bash)
`;

/** Prints the completion script of a shell. */
export async function completion([shell, ...rest]: readonly string[]): Promise<void> {
  if (isHelpFlag(shell)) {
    process.stdout.write(completionHelp);
    return;
  }
  const script = shell === undefined || !Object.hasOwn(scripts, shell) ? undefined : scripts[shell];
  if (script === undefined || rest.length > 0) throw new UsageError(`completion needs one of: ${Object.keys(scripts).join(', ')}`);
  process.stdout.write(script);
}
