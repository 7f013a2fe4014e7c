import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stopLocalMode } from '../../local/mode.ts';
import { reasonAgainstCase } from './a2a-cases.ts';
import { startKillable } from './killable.ts';

const SUITE = 'https://github.com/a2aproject/a2a-tck';
const COMMIT = '410ba92e1b264df895e1fe6eccfe22db7aeaab06';
/** Debian's own, because only it finds Debian's packages. */
const PYTHON = '/usr/bin/python3';
const MODULES =
  'pytest pytest_asyncio httpx requests responses deepdiff jsonschema packaging yaml dotenv grpc google.protobuf OpenSSL aiohttp';
const PACKAGES =
  'python3-pytest python3-pytest-asyncio python3-httpx python3-requests python3-responses python3-deepdiff python3-jsonschema python3-packaging python3-yaml python3-dotenv python3-grpcio python3-protobuf python3-openssl python3-aiohttp';
/** As the suite's own runner selects its mandatory part for JSON-RPC. */
const SELECTION = [
  'tests/mandatory',
  '--test-scope=all',
  '--transports=jsonrpc',
  '-m=mandatory or mandatory_protocol or mandatory_jsonrpc',
];
const RUN_LIMIT_MS = 10 * 60_000;

/**
 * `npm run torture -- a2a-tck CHECKOUT [url]`: the mandatory part of the official A2A suite, from a checkout of its pinned
 * commit, against the running service or the one named. What does not apply is listed with the reason; all else must pass.
 */
export async function run([checkout, url]: string[]): Promise<void> {
  assertReady(checkout);
  const directory = mkdtempSync(join(tmpdir(), 'pennypost-a2a-'));
  const dataDir = join(directory, 'data');
  const service = url === undefined ? await startKillable({ dataDir }) : null;
  try {
    if (!report(await runSuite(checkout, url ?? service?.url ?? ''))) process.exitCode = 1;
  } finally {
    await service?.stop();
    if (service !== null) await stopLocalMode(dataDir);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Another commit has other tests, so that the list of what does not apply would be of another suite. */
function assertReady(checkout: string | undefined): asserts checkout is string {
  const how = `git clone ${SUITE} && git -C a2a-tck checkout ${COMMIT}`;
  if (checkout === undefined) throw new Error(`name the checkout of the suite: ${how}`);
  const git = (...args: string[]) => execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' }).trim();
  const found = git('rev-parse', 'HEAD');
  if (found !== COMMIT) throw new Error(`the checkout is at ${found}, and the suite is pinned: ${how}`);
  const changed = git('status', '--porcelain', '--untracked-files=no');
  if (changed !== '') throw new Error(`the checkout has changes of its own: ${changed}`);
  try {
    execFileSync(PYTHON, ['-c', `import ${MODULES.split(' ').join(', ')}`], { stdio: 'pipe' });
  } catch (cause) {
    throw new Error(`the suite needs Debian's Python packages: apt install ${PACKAGES}`, { cause });
  }
}

/**
 * The suite posts raw JSON-RPC to this address, and finds the card from its host. Its exit code says whether tests failed,
 * also those that do not apply: its lines say which.
 */
async function runSuite(checkout: string, url: string): Promise<string> {
  const args = [
    '-m',
    'pytest',
    ...SELECTION,
    `--sut-url=${url}/a2a`,
    '-v',
    '-rsfE',
    '--tb=no',
    '-p',
    'no:cacheprovider',
  ];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', COLUMNS: '500' };
  const child = spawn(PYTHON, args, {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_LIMIT_MS,
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output;
}

const LINE = /^(tests\/\S+::\S+) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/gm;
const REASON = /^(?:FAILED|ERROR) (tests\/\S+::\S+)(?: - (.*))?$/gm;
const SKIPPED = /^SKIPPED \[(\d+)\] (.*)$/gm;

/** Whether all that applies has passed. */
function report(output: string): boolean {
  const cases = Array.from(output.matchAll(LINE), ([, id = '', status = '']) => ({ id, status }));
  if (!/^=+ .* in [0-9.]+s/m.test(output) || cases.length === 0) throw new Error(`the suite did not end: ${output}`);
  const reasons = new Map(Array.from(output.matchAll(REASON), ([, id = '', reason = '']) => [id, reason]));
  const failed = cases.filter(({ status }) => status === 'FAILED' || status === 'ERROR');
  const applying = failed.filter(({ id }) => reasonAgainstCase(id) === null);
  const passed = cases.filter(({ status }) => status === 'PASSED');
  for (const { id } of applying) print(`FAILED  ${id}: ${reasons.get(id) ?? ''}`);
  for (const { id } of failed.filter((one) => !applying.includes(one))) {
    print(`does not apply (${reasonAgainstCase(id)}): ${id}`);
  }
  for (const { id } of passed.filter((one) => reasonAgainstCase(one.id) !== null)) print(`listed, but passed: ${id}`);
  for (const [, count, why] of output.matchAll(SKIPPED)) print(`skipped by the suite: ${count} at ${why}`);
  print(
    `A2A: ${passed.length} passed, ${applying.length} failed, ${failed.length - applying.length} do not apply, ` +
      `${cases.length - passed.length - failed.length} skipped by the suite`,
  );
  return applying.length === 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
