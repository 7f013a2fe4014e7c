import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { stopLocalMode } from '../../local/mode.ts';
import { startKillable } from './killable.ts';
import { reasonAgainstCheck, reasonAgainstScenario } from './mcp-scenarios.ts';

/** The suite needs Node 22; both are brought for the run only. */
const PACKAGES = ['node@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
/** Everything that each of these versions of the protocol asks of a server, frozen at its release. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
const RUN_LIMIT_MS = 10 * 60_000;

const checks = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }).transform((check) => ({
    ...check,
    failed: check.status === 'FAILURE',
  })),
);

/** The suite itself found nothing to check, mostly because we give out no sessions. */
const NOTHING_RAN = 'the suite made no check that counts';

/**
 * `npm run torture -- mcp-conformance [url]`: the official scenarios for MCP servers against the running service, or
 * against the one whose `/mcp` is named. What does not apply is listed with the reason; all else must pass.
 */
export async function run([url]: string[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'pennypost-mcp-'));
  const dataDir = join(directory, 'data');
  const service = url === undefined ? await startKillable({ dataDir }) : null;
  let failed = 0;
  try {
    for (const revision of REVISIONS) {
      const results = join(directory, revision);
      await runSuite(url ?? `${service?.url}/mcp`, revision, results);
      failed += report(revision, results);
    }
  } finally {
    await service?.stop();
    if (service !== null) await stopLocalMode(dataDir);
    rmSync(directory, { recursive: true, force: true });
  }
  if (failed > 0) process.exitCode = 1;
}

/** Its exit code says whether scenarios failed, also those that do not apply: the files say which. */
async function runSuite(url: string, revision: string, results: string): Promise<void> {
  const packages = PACKAGES.flatMap((name) => ['-p', name]);
  const args = ['-y', ...packages, 'conformance', 'server', '--url', url, '--requirements', revision, '-o', results];
  const child = spawn('npx', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: RUN_LIMIT_MS });
  await once(child, 'exit');
}

/** Prints each scenario; answers how many that apply did not pass. */
function report(revision: string, results: string): number {
  if (!existsSync(results))
    throw new Error(`the conformance suite left no results for ${revision}; could npx fetch it?`);
  const scenarios = readScenarios(results);
  const lines = scenarios.map((scenario) => ({ ...judge(scenario), name: scenario.name }));
  print(`\nMCP ${revision}`);
  for (const { name, passed, failures, skipped } of lines.filter(({ against }) => against === null)) {
    print(
      `${failures.length === 0 ? 'passed' : 'FAILED'}  ${name}: ${passed} checks passed, ${failures.length} failed`,
    );
    for (const text of failures) print(`          ${text}`);
    for (const text of skipped) print(`          does not apply: ${text}`);
  }
  const apart = lines.filter(({ against }) => against !== null);
  for (const reason of new Set(apart.map(({ against }) => against))) {
    const names = apart.filter(({ against }) => against === reason).map(({ name }) => name);
    print(`does not apply (${reason}): ${names.join(', ')}`);
  }
  return lines.filter(({ against, failures }) => against === null && failures.length > 0).length;
}

type Scenario = { name: string; checks: z.infer<typeof checks> };

function readScenarios(results: string): Scenario[] {
  return readdirSync(results)
    .map((folder) => ({
      // server-{scenario}-{time}
      name: folder.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, ''),
      checks: checks.parse(JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'))),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

function judge({ name, checks: all }: Scenario) {
  const failed = all.filter((check) => check.failed);
  const ran = all.some(({ status }) => status === 'SUCCESS' || status === 'FAILURE');
  const against = reasonAgainstScenario(name) ?? (ran ? null : NOTHING_RAN);
  const applying = failed.filter(({ id }) => reasonAgainstCheck(id) === null);
  return {
    against,
    passed: all.filter(({ status }) => status === 'SUCCESS').length,
    failures: applying.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`),
    skipped: failed.flatMap(({ id }) => {
      const reason = reasonAgainstCheck(id);
      return reason === null ? [] : [`${id} (${reason})`];
    }),
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
