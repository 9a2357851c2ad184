/**
 * The programs that the simulation's shell has, by name. The shell itself is loaded when the first of them runs; a test
 * compares both.
 */
const names: ReadonlySet<string> = new Set(
  (
    '/agnhost /agnhost-2 [ agnhost arch ash base64 basename bash cat chgrp chmod chown clear cp curl cut dash date dd df dig dirname du echo egrep env expr false fgrep find ' +
    'free getent grep groups gunzip gzip head hexdump host hostname id ln ls md5sum mkdir mktemp mv nc nice nl nohup nproc nslookup ping printenv printf ps pwd ' +
    'readlink realpath rev rm rmdir sed seq sh sha1sum sha256sum sha512sum sleep sort stat sync tac tail tar tee test time timeout ' +
    'touch tr true truncate tty uname uniq uptime watch wc wget which whoami xargs yes zcat'
  ).split(' '),
);

/** Reports whether the shell has a program, with or without its folder. */
export const isProgram = (name: string): boolean => names.has(name.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, ''));

export const programNames = (): Iterable<string> => names;
