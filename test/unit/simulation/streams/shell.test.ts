// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of a shell
import { setImmediate } from 'node:timers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withoutSlices } from '../../../../runtime/machinery/event-loop/yield.ts';
import { ContainerFiles } from '../../../../runtime/simulation/streams/container-files.ts';
import { Input } from '../../../../runtime/simulation/streams/shell/input.ts';
import type { Process } from '../../../../runtime/simulation/streams/shell/process.ts';
import { KilledError, ProcessorTime } from '../../../../runtime/simulation/streams/shell/processor-time.ts';
import { Signals } from '../../../../runtime/simulation/streams/shell/signals.ts';
import { runCommand } from '../../../../runtime/simulation/streams/shell/spawn.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { SimulatedContainers } from '../../../support/simulated-containers.ts';

// pauses take a turn of the event loop, so work is not divided by time
let divideAgain: () => void;
beforeAll(() => {
  divideAgain = withoutSlices();
});
afterAll(() => divideAgain());

/** A process whose pauses take no time, and its output. */
function newProcess(args: readonly string[], input = '') {
  const clock = new ManualClock();
  const output = { out: '', err: '' };
  const controller = new AbortController();
  const process: Process = {
    pid: 1,
    args,
    stdin: Input.of(Buffer.from(input)),
    env: new Map([
      ['HOME', '/root'],
      ['NAME', 'deep red'],
    ]),
    files: new ContainerFiles(() => clock.now()),
    network: new SimulatedContainers().runs.networkOf({ pod: { metadata: {} } }),
    clock: {
      now: () => clock.now(),
      after(ms, callback) {
        setImmediate(() => {
          clock.advance(ms);
          callback();
        });
        return () => undefined;
      },
    },
    time: ProcessorTime.of(controller.signal),
    signals: new Signals(),
    folder: '/',
    depth: 0,
    out: async (data) => {
      output.out += data.toString();
    },
    err: async (data) => {
      output.err += data.toString();
    },
    console: async (data) => {
      output.out += `console: ${data}`;
    },
    run: runCommand,
    signalFirst: () => undefined,
  };
  return { process, output, kill: () => controller.abort() };
}

async function run(script: string, { input = '', shell = 'sh' } = {}) {
  const { process, output } = newProcess(['-c', script], input);
  const code = await runCommand(shell, process)
    .catch((error: unknown) => {
      if (error instanceof KilledError) return error.exitCode;
      throw error;
    })
    .finally(() => process.time.kill());
  return [output.out, output.err, code];
}

/** Scripts and what busybox prints. */
describe('a script prints what busybox prints', () => {
  test.each<[script: string, out: string, code?: number]>([
    // temporary files, and what find cannot do
    ['mktemp /tmp/a.XXXXXX; mktemp -d /tmp/a.XXXXXX; mktemp /tmp/b.XXXXXX', '/tmp/a.000001\n/tmp/a.000002\n/tmp/b.000001\n'],
    ['find . -name a -o -name b 2>&1; echo $?', 'find: unrecognized: -o\n1\n'],
    // archives
    ['mkdir d; echo 1 > d/a; tar cf a.tar d; rm -r d; tar -C /tmp -xmf a.tar; cat /tmp/d/a', '1\n'],
    ['mkdir d; echo 1 > d/a; echo 2 > b; tar czf a.tgz d b; tar tzf a.tgz', 'd/\nd/a\nb\n'],
    ['echo 1 > a; echo 2 > b; tar -cf - a b | (mkdir c; cd c; tar -xvf - b; ls)', 'b\nb\n'],
    ['tar xf absent 2>&1; echo $?', "tar: can't open 'absent': No such file or directory\n1\n"],
    ['tar -C / 2>&1; echo $?', 'tar: no action was given: c, x or t\n1\n'],
    // loops and conditions
    ['for i in 1 2 3; do echo $i; done', '1\n2\n3\n'],
    ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); echo $i; done', '1\n2\n3\n'],
    ['i=3; until test $i -eq 0; do i=$((i-1)); done; echo $i', '0\n'],
    ['for i in 1 2 3; do [ $i = 2 ] && continue; [ $i = 3 ] && break; echo $i; done; echo end', '1\nend\n'],
    ['for a in 1 2; do for b in 1 2; do [ $b = 2 ] && continue 2; echo $a$b; done; done', '11\n21\n'],
    ['if false; then echo a; elif true; then echo b; else echo c; fi', 'b\n'],
    ['case abc in x) echo x;; a*|b) echo a;; *) echo other;; esac', 'a\n'],
    ['case "a b" in "a b") echo quoted;; esac; case "*" in \\*) echo star;; esac', 'quoted\nstar\n'],
    ['f() { echo "$1 $#"; return 3; }; f a b; echo $?', 'a 2\n3\n'],
    ['set -- a "b c" d; for x; do echo "<$x>"; done; shift; echo $1 $#', '<a>\n<b c>\n<d>\nb c 2\n'],
    ['set -- a "b c"; for x in "$@"; do echo "<$x>"; done; for x in "$*"; do echo "<$x>"; done', '<a>\n<b c>\n<a b c>\n'],
    ['! true; echo $?; ! false; echo $?', '1\n0\n'],
    ['(exit 4); echo $?; { echo a; }; (cd /tmp; pwd); pwd', '4\na\n/tmp\n/\n'],
    ['set -e; false || echo caught; if false; then :; fi; false; echo never', 'caught\n', 1],
    ['set -e; f() { false; echo in; }; f || true; echo out', 'in\nout\n'],
    // expansions: the shell's, not JavaScript's
    ['X=1; X=2 env | grep ^X=; echo $X', 'X=2\n1\n'],
    ['echo ${A:-b} ${A-c} ${A:=d} $A ${#A} ${A:+e} ${Z+f}', 'b c d d 1 e\n'],
    ['P=/a/b/c.tar.gz; echo ${P##*/} ${P#*/} ${P%.*} ${P%%.*}', 'c.tar.gz a/b/c.tar.gz /a/b/c.tar /a/b/c\n'],
    ['echo $((1 + 2 * 3)) $(( (1+2) * 3 )) $((7 / 2)) $((7 % 3)) $((1 << 4)) $((5 > 3 && 2)) $((~0)) $((0x10))', '7 9 3 1 16 1 -1 16\n'],
    ['x=5; echo $((x += 2)) $x $((x > 3 ? 1 : 2))', '7 7 1\n'],
    ['echo $(echo a; echo b) "$(echo a; echo b)"', 'a b a\nb\n'],
    ['echo `echo back` $(echo $(echo deep))', 'back deep\n'],
    ['x=$(exit 3); echo $?', '3\n'],
    ['x="a  b"; echo $x; echo "$x"; echo \'$x\'', 'a b\na  b\n$x\n'],
    ['IFS=:; x=a:b:c; set -- $x; echo $# $2', '3 b\n'],
    ['echo ~ "~" \\~; cd; pwd', '/root ~ ~\n/root\n'],
    ['cd /tmp; touch b.txt a.txt c.log; echo *.txt; echo *.none; echo "*.txt"; echo [ab]*', 'a.txt b.txt\n*.none\n*.txt\na.txt b.txt\n'],
    [
      'printf "a\\tb\\n" | tr "\\t" x; printf "%s-%d\\n" a 1 b 2; printf "%05.1f|%5s|%-5s|%x\\n" 3.14159 a b 255',
      'axb\na-1\nb-2\n003.1|    a|b    |ff\n',
    ],
    ['read a b < /tmp/none || echo fails', 'fails\n'],
    ['echo "1 2 3" | { read a b; echo "$b $a"; }', '2 3 1\n'],
    ['printf "a\\nb\\nc" | while read l; do echo "<$l>"; done', '<a>\n<b>\n'],
    ['printf "a\\nb\\n" | while IFS= read -r l || [ -n "$l" ]; do echo "<$l>"; done', '<a>\n<b>\n'],
    ['cat <<EOF\na $NAME $((1+1))\n\\$x\nEOF', 'a deep red 2\n$x\n'],
    ["cat <<'EOF'\na $NAME\nEOF", 'a $NAME\n'],
    ['eval "x=1; echo \\$x"; y=x; eval "echo \\$$y"', '1\n1\n'],
    // streams
    ['{ echo out; echo err >&2; } 2>&1 | sort', 'err\nout\n'],
    ['echo a > /tmp/f; echo b >> /tmp/f; cat < /tmp/f; wc -l < /tmp/f', 'a\nb\n2\n'],
    ['exec 3> /tmp/three; echo x >&3; cat /tmp/three', 'x\n'],
    ['yes | head -n 2; echo $?', 'y\ny\n0\n'],
    ['seq 5 | tail -n 2 | head -n 1', '4\n'],
    ['echo a | cat - | cat', 'a\n'],
    ['while :; do echo x; done | head -n 1', 'x\n'],
    ['exec > /tmp/log; echo hidden; cat /tmp/log >&2', ''],
    // jobs and traps
    ['sleep 5 & wait; echo done', 'done\n'],
    ['sleep 100 & p=$!; kill $p; wait $p; echo $?', '143\n'],
    ['(exit 7) & wait $!; echo $?', '7\n'],
    ['trap "echo bye" EXIT; echo hi; exit 3', 'hi\nbye\n', 3],
    ['trap "echo got" USR1; kill -USR1 $$; echo after', 'got\nafter\n'],
    ['trap "" TERM; kill $$; echo alive', 'alive\n'],
    ['nothing; echo $?; /none; echo $?', '127\n127\n'],
    ['exit 300', '', 44],
    ['exec echo replaced; echo never', 'replaced\n'],
    ['command -v cat >/dev/null && echo has; command -v nothing || echo lacks', 'has\nlacks\n'],
    ['while getopts ab: o; do echo "$o $OPTARG"; done', ''],
    ['set -- -a -b x rest; while getopts ab: o; do echo "$o:$OPTARG"; done; shift $((OPTIND - 1)); echo $1', 'a:\nb:x\nrest\n'],
    ['timeout 1 sleep 5; echo $?', '143\n'],
    ['set -u; echo $missing', '', 2],
    ['echo ${missing:?is needed}; echo never', '', 2],
    ['readonly r=1; x=$r; unset x; echo "[$x]"', '[]\n'],
  ])('%s', async (script, out, code = 0) => {
    const [stdout, , exitCode] = await run(script);
    expect([stdout, exitCode]).toEqual([out, code]);
  });
});

describe('utilities', () => {
  test.each<[script: string, out: string]>([
    ['printf "b 2\\na 10\\nb 2\\n" | sort -u; printf "10\\n9\\n" | sort -n; printf "a\\nb\\n" | sort -r', 'a 10\nb 2\n9\n10\nb\na\n'],
    ['printf "a\\na\\nb\\n" | uniq -c', '      2 a\n      1 b\n'],
    ['echo a:b:c | cut -d: -f1,3; echo abcdef | cut -c2-4', 'a:c\nbcd\n'],
    ['echo hello | tr a-z A-Z; echo hello | tr -d l; echo aabb | tr -s ab', 'HELLO\nheo\nab\n'],
    [
      'printf "one\\ntwo\\nthree\\n" | grep -n o; printf "a1\\nb\\n" | grep -E "[0-9]+"; echo x | grep -q y || echo no',
      '1:one\n2:two\na1\nno\n',
    ],
    [
      'printf "a.b\\naxb\\n" | grep -F a.b; printf "A\\n" | grep -i a; printf "a\\nb\\n" | grep -vc a; echo foo123 | grep -o "[0-9]*"',
      'a.b\nA\n1\n123\n',
    ],
    [
      'echo "hello world" | sed "s/o/0/g; s/\\(h\\)ell/\\1ELL/"; printf "1\\n2\\n3\\n" | sed -n "2p"; printf "1\\n2\\n3\\n" | sed "/2/d"',
      'hELL0 w0rld\n2\n1\n3\n',
    ],
    ['echo a > /tmp/x; sed -i "s|a|b/c|" /tmp/x; cat /tmp/x; seq 5 | sed "2,4d"; echo ab | sed -E "s/(a)(b)/\\2\\1/"', 'b/c\n1\n5\nba\n'],
    ['printf "a b\\nc\\n" | wc; printf "abc" | wc -c; printf "a b" | wc -w', '        2         3         6\n3\n2\n'],
    ['seq 1 2 5; seq 3 -1 1; seq -s, 3', '1\n3\n5\n3\n2\n1\n1,2,3\n'],
    ['basename /a/b.txt .txt; dirname /a/b; dirname a', 'b\n/a\n.\n'],
    ['mkdir -p /d/e; touch /d/f; ls /d; find /d -type f; find / -name e', 'e\nf\n/d/f\n/d/e\n'],
    ['echo x > /a; cp /a /b; mv /b /c; ls /c; cat /c; rm /c; ls /c 2>&1', '/c\nx\nls: /c: No such file or directory\n'],
    [
      'mkdir /m; chmod 700 /m; stat -c "%a %F" /m; echo hi > /h; chmod u+x,o-r /h; stat -c %A /h; stat -c %s /h',
      '700 directory\n-rwxr-----\n3\n',
    ],
    ['ln -s /etc/x /l; readlink /l; echo y > /etc/x; cat /l; test -L /l && echo link', '/etc/x\ny\nlink\n'],
    ['printf "hello" | hexdump -C', '00000000  68 65 6c 6c 6f                                    |hello|\n00000005\n'],
    ['printf "hello" | gzip | gunzip; echo; printf hi | base64; echo aGk= | base64 -d', 'hello\naGk=\nhi'],
    ['printf hi | md5sum; printf hi | sha256sum | cut -c1-8', '49f68a5c8493ec2c0bf489821c21fc3b  -\n8f434346\n'],
    ['id -u; id; whoami; test -d /tmp -a ! -e /none && echo both', '0\nuid=0(root) gid=0(root) groups=0(root)\nroot\nboth\n'],
    ['printf "1 2\\n3\\n" | xargs -n 1 echo n; echo a b | xargs; expr 3 + 4; expr 2 \\* 5', 'n 1\nn 2\nn 3\na b\n7\n10\n'],
    ['date -u +%Y-%m-%dT%H:%M:%SZ; date -d @0 +%F', '2026-01-01T00:00:00Z\n1970-01-01\n'],
    ['sleep 90; date +%H:%M:%S; uname -s', '00:01:30\nLinux\n'],
    ['env -i A=b env; env B=c printenv B', 'A=b\nc\n'],
    ['dd if=/dev/zero of=/z bs=1k count=2 2>/dev/null; stat -c %s /z; truncate -s 5 /z; wc -c < /z', '2048\n5\n'],
    ['echo one | tee /t1 /t2 > /dev/null; cat /t1 /t2', 'one\none\n'],
    ['echo "#!/bin/sh\necho \\"run \\$1\\"" > /s; chmod +x /s; /s a; chmod -x /s; /s; echo $?', 'run a\n126\n'],
    ['echo "X=9" > /v; . /v; echo $X; echo to > /dev/stdout; echo log > /proc/1/fd/1', '9\nto\nconsole: log\n'],
  ])('%s', async (script, out) => {
    expect((await run(script))[0]).toBe(out);
  });
});

test.each<[script: string, err: string, code: number]>([
  ['nothing', 'sh: nothing: not found\n', 127],
  ['echo a | | cat', 'sh: syntax error: unexpected "|"\n', 2],
  ['if true', 'sh: syntax error: unexpected end of file (expecting "then")\n', 2],
  ['echo "open', 'sh: syntax error: unterminated quoted string\n', 2],
  ['echo > /none/x', "sh: can't create /none/x: nonexistent directory\n", 1],
  ['cat < /none', "sh: can't open /none: no such file\n", 1],
  ['echo $((1 / 0))', 'sh: divide by zero\n', 2],
  ['cd /none', "sh: cd: can't cd to /none: No such file or directory\n", 2],
  ['f() { f; }; f', 'sh: maximum function nesting level exceeded\n', 2],
  ['rm /tmp', "rm: '/tmp' is a directory\n", 1],
])('%s says %j', async (script, err, code) => {
  expect(await run(script)).toEqual(['', err, code]);
});

test.each<[script: string, out: string]>([
  ['for i in {1..3}; do echo $i; done; echo a{b,c}', '1\n2\n3\nab ac\n'],
  ['[[ abc == a* && -n x ]] && echo yes; x=abc; echo ${x/b/B} ${x:1:1} ${x^^}', 'yes\naBc b ABC\n'],
  ['for ((i = 0; i < 2; i++)); do echo $i; done; ((1 > 0)) && echo true', '0\n1\ntrue\n'],
])('bash: %s', async (script, out) => {
  expect(await run(script, { shell: 'bash' })).toEqual([out, '', 0]);
});

test('bash reports a missing command in its own words', async () => {
  expect(await run('nothing', { shell: 'bash' })).toEqual(['', 'bash: line 1: nothing: command not found\n', 127]);
});

/** What a script cannot exhaust. */
test.each<[string, string, number]>([
  ['commands', 'while :; do :; done', 137],
  ['processes', 'for i in $(seq 100); do sleep infinity & done 2> /tmp/e; test -s /tmp/e', 0],
  ['shells within each other', 'f() { (f); }; f 2>/dev/null; exit 0', 0],
  ['text', 'x=a; while :; do x=$x$x; done 2>/dev/null', 137],
  ['files', 'i=0; while echo > /tmp/$((i += 1)); do :; done 2>/dev/null; exit 5', 5],
  ['numbers', 'echo $((9999999999 ** 9999999999)) > /dev/null', 0],
  ['patterns', 'x=$(seq 1000 | tr "\\n" a); case $x in *a*a*a*a*a*a*a*a*a*b) echo no;; esac', 0],
])('a script is bounded in its %s', async (_, script, code) => {
  expect((await run(script))[2]).toBe(code);
});

test('a killed script ends wherever it waits', async () => {
  for (const script of ['sleep 1000', 'cat', 'sleep 1000 | cat', 'sleep 1000 & wait', 'read x']) {
    const { process, kill } = newProcess(['-c', script]);
    let source: AsyncIterable<Buffer> | undefined;
    if (script !== 'sleep 1000') source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) };
    const never = { now: process.clock.now, after: () => () => undefined };
    const running = runCommand('sh', { ...process, clock: never, ...(source && { stdin: new Input(source) }) });
    queueMicrotask(kill);
    expect([script, await running]).toEqual([script, 137]);
  }
});
