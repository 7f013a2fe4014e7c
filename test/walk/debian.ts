import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { See } from './report.ts';
import { STRANGERS_ADDRESS } from './tls.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Debian 13. */
export const SUITE = 'trixie';
const PLACE = join(ROOT, '.cache/walk');

/** Nothing but what Debian calls essential, apt, and the authorities of https. Kept for the next walk. */
export function unpackDebian(root: string, see: See): void {
  const archive = join(PLACE, `${SUITE}.tar`);
  if (!existsSync(archive)) {
    mkdirSync(PLACE, { recursive: true });
    const options = ['--variant=minbase', '--include=ca-certificates', '--format=tar'];
    const half = `${archive}.half`;
    outside('mmdebstrap', [...options, SUITE, half]);
    renameSync(half, archive);
  }
  mkdirSync(root, { recursive: true });
  execFileSync('tar', ['-C', root, '-xf', archive, '--exclude=./dev/*']);
  see(`Debian ${SUITE}, minbase, from ${archive}`);
}

/** The root of an earlier walk, which stays as it is: what is written is beside it. */
export function layOver(earlier: string, root: string): void {
  const [above, work] = [`${root}.above`, `${root}.work`];
  for (const folder of [root, above, work]) mkdirSync(folder, { recursive: true });
  const options = `lowerdir=${earlier},upperdir=${above},workdir=${work}`;
  execFileSync('mount', ['-t', 'overlay', 'overlay', '-o', options, root]);
}

/** The mounts end with the namespace of the walk. */
export function prepareRoot(root: string, names: readonly string[]): void {
  execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  execFileSync('mount', ['--rbind', '/dev', join(root, 'dev')]);
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  writeFileSync(join(root, 'etc/hosts'), hostsText(names));
  // A chroot has no init: packages start nothing by themselves.
  const policy = join(root, 'usr/sbin/policy-rc.d');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n');
  chmodSync(policy, 0o755);
}

/** For programs of this machine within the namespace too. */
export function nameHosts(folder: string, names: readonly string[]): void {
  const file = join(folder, 'hosts');
  writeFileSync(file, hostsText(names));
  execFileSync('mount', ['--bind', file, '/etc/hosts']);
}

/** The first is the service's own, before which its proxy stands. */
function hostsText([own = '', ...others]: readonly string[]): string {
  return `127.0.0.1 localhost ${own}\n${STRANGERS_ADDRESS} ${others.join(' ')}\n`;
}

/** The tree as the last commit has it, without its history. */
export function unpackTree(root: string, revision: string, folder: string): string {
  const place = join(root, folder);
  mkdirSync(place, { recursive: true });
  const archive = execFileSync('git', ['archive', revision], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-C', place, '-xf', '-'], { input: archive });
  return execFileSync('git', ['log', '-1', '--format=%h %s', revision], { cwd: ROOT, encoding: 'utf8' }).trim();
}

function outside(program: string, args: readonly string[]): void {
  execFileSync('nsenter', ['--net=/proc/self/fd/3', program, ...args], { stdio: ['ignore', 'pipe', 'inherit', 3] });
}
